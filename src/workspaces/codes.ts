// The refusals of workspaces, with their statuses and public texts.

import { forbidden, notFound, unauthorized } from '../web/refuse.ts'
import type { ParameterFault, PublicRefusal, RefusalTable } from '../web/route.ts'

export type WorkspaceRoleCode = 'signed_out' | 'not_found' | 'forbidden'

/** In the order of the checks. Foreign, missing and deleted workspaces get the same answer. */
export const workspaceRoleRefusals: RefusalTable<WorkspaceRoleCode> = {
  signed_out: unauthorized.session,
  not_found: notFound,
  forbidden,
}

export type SettingsCode = WorkspaceRoleCode | 'days_not_kept'

const daysNotKept: ParameterFault = {
  status: 422,
  item: {
    loc: ['body', 'retention_days'],
    msg: 'Input should not exceed the retention of the plan, and should exceed the maximum age of an accepted span by at least one day',
    type: 'value_error',
  },
}

export const settingsRefusals: Readonly<Record<SettingsCode, PublicRefusal | ParameterFault>> = {
  ...workspaceRoleRefusals,
  days_not_kept: daysNotKept,
}

export type CreateCode = WorkspaceRoleCode | 'no_org' | 'org_needed' | 'too_many_workspaces' | 'too_many_free'

const orgNeeded: ParameterFault = {
  status: 422,
  item: {
    loc: ['body', 'org_id'],
    msg: 'Field required: you belong to several organizations',
    type: 'missing',
  },
}

export const makeCreateRefusals = (
  freeWorkspaces: number,
): Readonly<Record<CreateCode, PublicRefusal | ParameterFault>> => ({
  ...workspaceRoleRefusals,
  no_org: { status: 409, detail: 'You do not belong to an organization; accept an invite to one first' },
  org_needed: orgNeeded,
  too_many_workspaces: {
    status: 409,
    detail: 'This organization has reached its limit of workspaces; delete one first',
  },
  too_many_free: {
    status: 409,
    detail: `You have reached the limit of ${freeWorkspaces} workspaces on the free plan that one user can create in their organizations; one of them must be deleted first`,
  },
})

export type PricesCode = WorkspaceRoleCode | 'prices_changed'

export const pricesRefusals: RefusalTable<PricesCode> = {
  ...workspaceRoleRefusals,
  prices_changed: {
    status: 412,
    detail: 'Somebody has changed the prices since they were read; read them again, then repeat the change',
  },
}

export const goneRefusals: RefusalTable<'not_found'> = { not_found: notFound }
