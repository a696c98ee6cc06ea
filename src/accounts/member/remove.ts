// Removes a member from an org, or lets a member leave. An org keeps at least one owner.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import { type Origin, writeAudit } from '../../store/audit.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { Role, Session } from '../../web/route.ts'
import { auditEndedInvites, type EndedInvite } from './end-invites.ts'
import { type OrgRoleCode, readOrgRole } from './org-role.ts'

type Deps = { readonly db: Database; readonly onMembershipChange: (userId: string) => void }
type Input = { readonly who: Session; readonly orgId: string; readonly userId: string; readonly from: Origin }
type Removed = Outcome<undefined, OrgRoleCode | 'last_owner' | 'last_member'>

/** Every member may leave. An admin can remove others, but only an owner can remove an owner. The member's open invites are withdrawn. */
export async function removeMember(deps: Deps, input: Input): Promise<Removed> {
  const outcome = await deps.db.tx(async (tx) => await remove(tx, input))
  if (outcome.ok) deps.onMembershipChange(input.userId)
  return outcome
}

async function remove(tx: Tx, { who, orgId, userId, from }: Input): Promise<Removed> {
  // If two owners remove each other at the same time, the second one waits here and then sees that it is the last.
  await tx.row('accounts/lock-org', [orgId])
  const isLeaving = userId === who.userId
  const callerRole = await readOrgRole(tx, who, orgId, 'viewer')
  if (!callerRole.ok) return callerRole
  const member = await tx.row<{ role: Role }>('accounts/read-membership', [orgId, userId])
  if (member === null) return refuse('not_found')
  const mayRemove = callerRole.value === 'owner' || (callerRole.value === 'admin' && member.role !== 'owner')
  if (!isLeaving && !mayRemove) return refuse('forbidden')
  if (member.role === 'owner') {
    const count = await tx.row<{ owners: number; members: number }>('accounts/count-owners', [orgId])
    if ((count?.owners ?? 0) <= 1) return refuse((count?.members ?? 0) <= 1 ? 'last_member' : 'last_owner')
  }
  await tx.run('accounts/delete-membership', [orgId, userId])
  const by = { from, userId: who.userId, orgId }
  await writeAudit(tx, { action: 'member.remove', ...by, target: userId, detail: { left: isLeaving } })
  // Otherwise a removed admin could return with an invite made earlier.
  const ended = await tx.rows<EndedInvite>('accounts/delete-invites-of', [orgId, userId])
  await auditEndedInvites(tx, ended, { ...by, cause: 'inviter_removed' })
  return ok(undefined)
}
