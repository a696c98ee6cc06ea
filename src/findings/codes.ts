// Refusals of requests about findings, with the HTTP status and text of each.
import { notFound } from '../web/refuse.ts'
import type { RefusalTable } from '../web/route.ts'
import { type WorkspaceRoleCode, workspaceRoleRefusals } from '../workspaces/codes.ts'

/** No such finding in this workspace. */
export const findingNotFound: RefusalTable<'unknown'> = { unknown: notFound }

export type SetStatusCode = WorkspaceRoleCode | 'unknown' | 'taken'

export const setStatusRefusals: RefusalTable<SetStatusCode> = {
  ...workspaceRoleRefusals,
  ...findingNotFound,
  taken: {
    status: 409,
    detail: 'The problem was seen again after this finding was resolved; a newer finding describes it',
  },
}
