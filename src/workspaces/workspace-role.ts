// Reads a user's role in a workspace from the database, not from the token or a cache.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import type { Runner } from '../store/database.ts'
import { isAtLeast, type Role, type Session } from '../web/route.ts'
import type { WorkspaceRoleCode } from './codes.ts'

/**
 * Returns the role. One query. Checks in this order: 401 if the session has ended (so that a logout acts at once), 404 if the
 * workspace is foreign, missing or deleted, 403 if the role is too low.
 */
export async function readWorkspaceRole(
  on: Runner,
  who: Session,
  workspaceId: string,
  wanted: Role,
): Promise<Outcome<Role, WorkspaceRoleCode>> {
  const values = [workspaceId, who.userId, who.sessionId]
  const row = await on.row<{ signed_in: boolean; role: Role | null }>('workspaces/read-role', values)
  if (row === null || !row.signed_in) return refuse('signed_out')
  if (row.role === null) return refuse('not_found')
  return isAtLeast(row.role, wanted) ? ok(row.role) : refuse('forbidden')
}
