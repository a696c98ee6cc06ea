// Deletes the caller's account: the user with sessions, memberships and address, and the orgs in which the user is the only member.
import { Outage } from '../base/fault.ts'
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import { type Origin, writeAudit } from '../store/audit.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Role, Session } from '../web/route.ts'
import { formsOf } from './address/email-address.ts'
import type { DeleteAccountCode } from './codes.ts'
import { auditEndedInvites, type EndedInvite } from './member/end-invites.ts'
import type { PasswordHasher } from './password/hash.ts'
import type { Throttle } from './throttle.ts'

/** Deletes the workspaces of orgs in the caller's transaction, like a deletion by hand, and returns their ids. */
export type DeleteWorkspaces = (
  tx: Tx,
  orgIds: readonly string[],
  by: { readonly userId: string; readonly from: Origin },
) => Promise<readonly string[]>

export type DeleteAccountDeps = {
  readonly db: Database
  readonly throttle: Throttle
  readonly hasher: PasswordHasher
  readonly deleteWorkspaces: DeleteWorkspaces
  /** Called after the commit, for each deleted workspace. */
  readonly onWorkspaceDeleted: (workspaceId: string) => void
  readonly onMembershipChange: (userId: string) => void
}

type Input = { readonly who: Session; readonly currentPassword: string; readonly from: Origin }
type Known = { email: string; password_hash: string }
type Membership = { org_id: string; role: Role; others: number; other_owners: number }
type Deleted = Outcome<readonly string[], DeleteAccountCode>

// Each retry means that the user accepted another invite at that moment.
const maxTries = 5

/**
 * One hash, and one transaction that is retried if the user joins an org in the meantime. Wrong passwords are counted by session, as for a
 * password change. Throws Outage: 429 over a limit, 503.
 */
export async function deleteAccount(
  deps: DeleteAccountDeps,
  input: Input,
): Promise<Outcome<undefined, DeleteAccountCode>> {
  const { who, currentPassword, from } = input
  const asked = { userId: who.userId, sessionId: who.sessionId, ip: from.ip }
  const { known, isWrong } = await deps.throttle.password(asked, async () => {
    const known = await deps.db.row<Known>('accounts/read-signed-in-user', [who.sessionId, who.userId])
    const isWrong = known !== null && !(await deps.hasher.verify(currentPassword, known.password_hash)).matches
    return { known, isWrong }
  })
  if (known === null) return refuse('signed_out')
  if (isWrong) {
    await writeAudit(deps.db, { action: 'auth.password_failed', from, userId: who.userId, target: who.userId })
    return refuse('wrong_password')
  }
  const outcome = await remove(deps, input, known)
  if (!outcome.ok) return outcome
  deps.onMembershipChange(who.userId)
  for (const workspaceId of outcome.value) deps.onWorkspaceDeleted(workspaceId)
  return ok(undefined)
}

async function remove(deps: DeleteAccountDeps, input: Input, known: Known): Promise<Deleted> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const outcome = await deps.db.tx(async (tx) => await tryRemove(tx, deps, input, known))
    if (outcome !== null) return outcome
  }
  throw new Outage('limit', 'the user joined an org during each try to delete the account')
}

/** Returns null, with nothing written, if the user joined an org in the meantime. */
async function tryRemove(tx: Tx, deps: DeleteAccountDeps, { who, from }: Input, known: Known): Promise<Deleted | null> {
  const { userId } = who
  // Orgs are locked before the user, as everywhere: from here on no member joins or leaves them, and no owner steps down.
  const locked = new Set<string>()
  for (const { org_id: orgId } of await tx.rows<Membership>('accounts/list-memberships-of', [userId])) {
    await tx.row('accounts/lock-org', [orgId])
    locked.add(orgId)
  }
  await tx.row('accounts/lock-user-to-delete', [userId])
  // A concurrent deletion or password change may have ended the session in the meantime.
  const session = await tx.row('accounts/read-signed-in-user', [who.sessionId, userId])
  if (session === null) return refuse('signed_out')

  const memberships = await tx.rows<Membership>('accounts/list-memberships-of', [userId])
  // An org that was joined in the meantime is not locked, so its last other member could leave. Locking it now would break the lock order.
  if (memberships.some(({ org_id: orgId }) => !locked.has(orgId))) return null
  const isLastOwner = ({ role, others, other_owners: owners }: Membership): boolean =>
    role === 'owner' && others > 0 && owners === 0
  if (memberships.some(isLastOwner)) return refuse('last_owner')

  const emailForms = formsOf(known.email)
  await tx.rows('accounts/lock-invites-to-end', [[...locked], userId, emailForms])
  const emptied = memberships.filter(({ others }) => others === 0).map(({ org_id: orgId }) => orgId)
  const workspaceIds = await deps.deleteWorkspaces(tx, emptied, { userId, from })
  for (const { org_id: orgId, others } of memberships)
    await (others === 0 ? deleteOrg : leaveOrg)(tx, { orgId, userId, from })
  await tx.run('accounts/delete-invites-to', [emailForms])
  await tx.run('accounts/delete-user', [userId])
  await writeAudit(tx, { action: 'user.delete', from, userId, target: userId })
  return ok(workspaceIds)
}

type Left = { readonly orgId: string; readonly userId: string; readonly from: Origin }

async function leaveOrg(tx: Tx, { orgId, userId, from }: Left): Promise<void> {
  await writeAudit(tx, { action: 'member.remove', from, userId, orgId, target: userId, detail: { left: true } })
  const ended = await tx.rows<EndedInvite>('accounts/delete-invites-of', [orgId, userId])
  await auditEndedInvites(tx, ended, { from, userId, orgId, cause: 'inviter_removed' })
}

/** The workspaces of the org must be deleted first. */
async function deleteOrg(tx: Tx, { orgId, userId, from }: Left): Promise<void> {
  await tx.run('accounts/delete-invites-of-org', [orgId])
  await tx.run('accounts/delete-org', [orgId])
  await writeAudit(tx, { action: 'org.delete', from, userId, orgId, target: orgId })
}
