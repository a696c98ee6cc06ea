// Invites an e-mail address to an org. The token is returned to the inviter, once, and is not mailed.
import { createHash, randomBytes } from 'node:crypto'
import { makeUuidV7 } from '../../base/ids.ts'
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import { type Origin, writeAudit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import type { Role, Session } from '../../web/route.ts'
import type { EmailAddress } from '../address/email-address.ts'
import { auditEndedInvites, type EndedInvite, mayWithdraw } from './end-invites.ts'
import { type OrgRoleCode, readOrgRole } from './org-role.ts'

const lifeMs = 7 * 86_400_000
const maxOpen = 200

export type Invite = {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly token: string
  readonly expiresAt: Date
}

type Deps = { readonly db: Database; readonly now: () => Date }
type Input = {
  readonly who: Session
  readonly orgId: string
  readonly email: EmailAddress
  readonly role: Role
  readonly from: Origin
}

/**
 * Only an owner can invite an owner. Replaces the open invite to the same address, if the caller may withdraw it. At most 200 open per org.
 */
export async function invite(
  deps: Deps,
  input: Input,
): Promise<Outcome<Invite, OrgRoleCode | 'too_many_invites' | 'already_member'>> {
  const { who, orgId, email, role } = input
  return await deps.db.tx(async (tx) => {
    // Locked before the caller's role is read: an inviter who is being removed must not act after the removal.
    await tx.row('accounts/lock-org', [orgId])
    const callerRole = await readOrgRole(tx, who, orgId, role === 'owner' ? 'owner' : 'admin')
    if (!callerRole.ok) return callerRole
    const invited = await tx.row<{ id: string }>('accounts/find-user-by-email', [email.forms])
    if (invited !== null && (await tx.row('accounts/read-membership', [orgId, invited.id])) !== null)
      return refuse('already_member')
    // Before anything is written: a refusal commits what was written before it.
    const replaced = await tx.rows<{ role: Role }>('accounts/lock-open-invites-to', [orgId, email.forms])
    if (!replaced.every((one) => mayWithdraw(callerRole.value, one.role))) return refuse('forbidden')
    const by = { from: input.from, userId: who.userId, orgId }
    const ended = await tx.rows<EndedInvite>('accounts/delete-open-invites', [orgId, email.forms])
    await auditEndedInvites(tx, ended, { ...by, cause: 'replaced' })
    const count = await tx.row<{ open: number }>('accounts/count-open-invites', [orgId])
    if ((count?.open ?? 0) >= maxOpen) return refuse('too_many_invites')

    const token = `tw_inv_${randomBytes(32).toString('base64url')}`
    const made = {
      id: makeUuidV7(),
      email: email.canonical,
      role,
      token,
      expiresAt: new Date(deps.now().getTime() + lifeMs),
    }
    await tx.run('accounts/insert-invite', [
      made.id,
      orgId,
      made.email,
      role,
      digestInvite(token),
      who.userId,
      made.expiresAt,
    ])
    // Contains neither the address nor a hash of it, since the log outlives the account. The list of open invites has the address, and the
    // line of the user who joins names the invite.
    await writeAudit(tx, { action: 'member.invite', ...by, target: made.id, detail: { role } })
    return ok(made)
  })
}

/** Digest of a token. 256 random bits need no salt. */
export const digestInvite = (token: string): Buffer => createHash('sha256').update(token).digest()
