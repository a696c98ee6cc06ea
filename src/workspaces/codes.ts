// Floor 3. The refusals of workspaces, with the status and the sentence that the caller sees.

import { forbidden, notFound, unauthorized } from '../web/refuse.ts'
import type { ParameterFault, RefusalTable } from '../web/route.ts'

export type StandingCode = 'signed_out' | 'not_found' | 'forbidden'

/** In the order of the checks. Foreign, missing and deleted read the same. */
export const standingRefusals: RefusalTable<StandingCode> = { signed_out: unauthorized, not_found: notFound, forbidden }

export type CreateCode = StandingCode | 'org_needed' | 'too_many_workspaces'

const orgNeeded: ParameterFault = {
  status: 422,
  item: {
    loc: ['body', 'org_id'],
    msg: 'Field required: you do not belong to exactly one organization',
    type: 'missing',
  },
}

export const createRefusals = {
  ...standingRefusals,
  org_needed: orgNeeded,
  too_many_workspaces: {
    status: 409,
    detail: 'This organization has reached its limit of workspaces; delete one first',
  },
} as const

export const goneRefusals: RefusalTable<'not_found'> = { not_found: notFound }
