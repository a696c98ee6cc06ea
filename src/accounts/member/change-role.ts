// Changes the role of a member. An org keeps at least one owner.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import { type Origin, writeAudit } from '../../store/audit.ts'
import type { Database, Tx } from '../../store/database.ts'
import { isAtLeast, type Role, roles, type Session } from '../../web/route.ts'
import { auditEndedInvites, type EndedInvite } from './end-invites.ts'
import { type Member, type MemberRow, readMember } from './list.ts'
import { type OrgRoleCode, readOrgRole } from './org-role.ts'

type Deps = { readonly db: Database; readonly onMembershipChange: (userId: string) => void }
type Input = {
  readonly who: Session
  readonly orgId: string
  readonly userId: string
  readonly role: Role
  readonly from: Origin
}
type Code = OrgRoleCode | 'last_owner'
type Changed = { readonly member: Member; readonly isNew: boolean }

/**
 * An admin can grant roles up to admin to members up to admin, and may step down. Only an owner can grant the role owner or change the role
 * of an owner. Open invites that the member could no longer make are withdrawn.
 */
export async function changeRole(deps: Deps, input: Input): Promise<Outcome<Member, Code>> {
  const outcome = await deps.db.tx(async (tx) => await change(tx, input))
  if (!outcome.ok) return outcome
  if (outcome.value.isNew) deps.onMembershipChange(input.userId)
  return ok(outcome.value.member)
}

async function change(tx: Tx, { who, orgId, userId, role, from }: Input): Promise<Outcome<Changed, Code>> {
  // If two owners step down at the same time, the second one waits here and then sees that it is the last.
  await tx.row('accounts/lock-org', [orgId])
  const callerRole = await readOrgRole(tx, who, orgId, 'admin')
  if (!callerRole.ok) return callerRole
  const before = await tx.row<{ role: Role }>('accounts/read-membership', [orgId, userId])
  if (before === null) return refuse('not_found')
  if (!isAtLeast(callerRole.value, before.role) || !isAtLeast(callerRole.value, role)) return refuse('forbidden')
  if (before.role === 'owner' && role !== 'owner') {
    const count = await tx.row<{ owners: number }>('accounts/count-owners', [orgId])
    if ((count?.owners ?? 0) <= 1) return refuse('last_owner')
  }
  const row = await tx.row<MemberRow>('accounts/change-role', [orgId, userId, role])
  if (row === null) throw new Error('the membership that was read is not there to be changed')
  if (role !== before.role) {
    const by = { from, userId: who.userId, orgId }
    await writeAudit(tx, { action: 'member.role', ...by, target: userId, detail: { from: before.role, to: role } })
    const ended = await tx.rows<EndedInvite>('accounts/delete-invites-above', [orgId, userId, listGivable(role)])
    await auditEndedInvites(tx, ended, { ...by, cause: 'inviter_demoted' })
  }
  return ok({ member: readMember(row), isNew: role !== before.role })
}

/** The roles to which a member with this role may invite. */
const listGivable = (role: Role): Role[] =>
  isAtLeast(role, 'admin') ? roles.filter((one) => isAtLeast(role, one)) : []
