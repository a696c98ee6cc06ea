// An owner creates a reset link for a member who has forgotten the password, and passes it on: for services without a mail server.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import { type Origin, writeAudit } from '../../store/audit.ts'
import type { Database, Runner } from '../../store/database.ts'
import type { Session } from '../../web/route.ts'
import { type OrgRoleCode, readOrgRole } from '../member/org-role.ts'
import { insertReset, type ResetToken } from './token.ts'

type Deps = { readonly db: Database; readonly now: () => Date; readonly publicUrl: string }
type Input = { readonly who: Session; readonly orgId: string; readonly userId: string; readonly from: Origin }
export type LinkCode = OrgRoleCode | 'own_account' | 'other_orgs'

/**
 * The holder of a link can sign in as the member. Therefore a link is made only for members all of whose orgs the caller owns, and not for
 * the caller, who must give the current password instead. A new link replaces earlier ones.
 */
export async function makeResetLink(deps: Deps, input: Input): Promise<Outcome<ResetToken, LinkCode>> {
  const { who, orgId, userId, from } = input
  return await deps.db.tx(async (tx): Promise<Outcome<ResetToken, LinkCode>> => {
    // Before anything is read: either user may be deleting the account, and then has no role.
    await tx.rows('accounts/hold-users', [[who.userId, userId]])
    const callerRole = await readOrgRole(tx, who, orgId, 'owner')
    if (!callerRole.ok) return callerRole
    const { isMember, isAllowed } = await mayReset(tx, { ownerId: who.userId, userId, orgId })
    if (!isMember) return refuse('not_found')
    if (userId === who.userId) return refuse('own_account')
    if (!isAllowed) return refuse('other_orgs')
    await tx.run('accounts/delete-made-resets', [userId, orgId])
    await writeAudit(tx, { action: 'auth.reset_link', from, userId: who.userId, orgId, target: userId })
    return ok(await insertReset(tx, deps, { userId, madeBy: { userId: who.userId, orgId } }))
  })
}

type Link = { readonly ownerId: string; readonly userId: string; readonly orgId: string }

/** Whether the user is a member of the org, and whether this owner may reset the user's password. One query. */
export async function mayReset(
  on: Runner,
  { ownerId, userId, orgId }: Link,
): Promise<{ readonly isMember: boolean; readonly isAllowed: boolean }> {
  const row = await on.row<{ is_member: boolean; is_owner: boolean; is_within: boolean }>('accounts/judge-reset', [
    ownerId,
    userId,
    orgId,
  ])
  if (row === null) throw new Error('the statement accounts/judge-reset returned no row')
  return { isMember: row.is_member, isAllowed: row.is_member && row.is_owner && row.is_within }
}
