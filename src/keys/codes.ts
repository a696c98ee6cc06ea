// The refusals of keys, with their statuses and public texts.
import type { RefusalTable } from '../web/route.ts'
import { type StandingCode, standingRefusals } from '../workspaces/codes.ts'

export const keyRefusals: RefusalTable<StandingCode> = standingRefusals

export const mintRefusals: RefusalTable<StandingCode | 'too_many_keys'> = {
  ...standingRefusals,
  too_many_keys: { status: 409, detail: 'This workspace has reached its limit of active keys; revoke one first' },
}
