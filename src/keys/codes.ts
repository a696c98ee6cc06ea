// The refusals of keys, with their statuses and public texts.
import type { RefusalTable } from '../web/route.ts'
import { type WorkspaceRoleCode, workspaceRoleRefusals } from '../workspaces/codes.ts'

export const keyRefusals: RefusalTable<WorkspaceRoleCode> = workspaceRoleRefusals

export const mintRefusals: RefusalTable<WorkspaceRoleCode | 'too_many_keys'> = {
  ...workspaceRoleRefusals,
  too_many_keys: { status: 409, detail: 'This workspace has reached its limit of active keys; revoke one first' },
}
