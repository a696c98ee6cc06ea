// Reads a user's role in an org from the database, not from the token.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Runner } from '../../store/database.ts'
import { isAtLeast, type Role, type Session } from '../../web/route.ts'

export type OrgRoleCode = 'signed_out' | 'not_found' | 'forbidden'

/**
 * Returns the role. Checks in this order: 401 if the session has ended, 404 if the org is foreign or missing, 403 if the role is too low.
 */
export async function readOrgRole(
  on: Runner,
  who: Session,
  orgId: string,
  wanted: Role,
): Promise<Outcome<Role, OrgRoleCode>> {
  const row = await on.row<{ signed_in: boolean; role: Role | null }>('accounts/read-org-role', [
    who.sessionId,
    who.userId,
    orgId,
  ])
  if (row === null || !row.signed_in) return refuse('signed_out')
  if (row.role === null) return refuse('not_found')
  return isAtLeast(row.role, wanted) ? ok(row.role) : refuse('forbidden')
}
