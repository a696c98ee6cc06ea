// What a signed-in human may do in an org, asked of the database and not of the token.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Runner } from '../../store/database.ts'
import { isAtLeast, type Role, type Session } from '../../web/route.ts'
import type { StandingCode } from '../codes.ts'

/** In the order of the checks: 401 where the session has ended, 404 where the org is foreign or missing, 403 where the role is too low. */
export async function readOrgStanding(
  on: Runner,
  who: Session,
  orgId: string,
  wanted: Role,
): Promise<Outcome<Role, StandingCode>> {
  const row = await on.row<{ signed_in: boolean; role: Role | null }>('accounts/read-org-standing', [
    who.sessionId,
    who.userId,
    orgId,
  ])
  if (row === null || !row.signed_in) return refuse('signed_out')
  if (row.role === null) return refuse('not_found')
  return isAtLeast(row.role, wanted) ? ok(row.role) : refuse('forbidden')
}
