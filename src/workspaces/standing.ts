// What a signed-in human may do in a workspace, asked of the database and not of the token or of a cache.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import type { Runner } from '../store/database.ts'
import { isAtLeast, type Role, type Session } from '../web/route.ts'
import type { StandingCode } from './codes.ts'

/**
 * One query. In the order of the checks: 401 where the session has ended (so that logout acts at once), 404 where the
 * workspace is foreign, missing or deleted, 403 where the role is too low.
 */
export async function readStanding(
  on: Runner,
  who: Session,
  workspaceId: string,
  wanted: Role,
): Promise<Outcome<Role, StandingCode>> {
  const values = [workspaceId, who.userId, who.sessionId]
  const row = await on.row<{ signed_in: boolean; role: Role | null }>('workspaces/read-standing', values)
  if (row === null || !row.signed_in) return refuse('signed_out')
  if (row.role === null) return refuse('not_found')
  return isAtLeast(row.role, wanted) ? ok(row.role) : refuse('forbidden')
}
