// Floor 3. Inviting an e-mail address into an org. There is no mailer: the token goes to the inviter, once.
import { createHash, randomBytes } from 'node:crypto'
import { makeUuidV7 } from '../../base/ids.ts'
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import { type Origin, writeAudit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import type { Role, Session } from '../../web/route.ts'
import type { StandingCode } from '../codes.ts'
import { readOrgStanding } from './standing.ts'

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
  readonly email: string
  readonly role: Role
  readonly from: Origin
}

/** Only an owner invites an owner. A new invite replaces the earlier one to the same address. 200 open ones an org. */
export async function invite(
  deps: Deps,
  input: Input,
): Promise<Outcome<Invite, StandingCode | 'too_many_invites' | 'already_member'>> {
  const { who, orgId, email, role } = input
  return await deps.db.tx(async (tx) => {
    // Before the standing is read: an inviter who is being removed must not get past their removal.
    await tx.row('accounts/lock-org', [orgId])
    const standing = await readOrgStanding(tx, who, orgId, role === 'owner' ? 'owner' : 'admin')
    if (!standing.ok) return standing
    const invited = await tx.row<{ id: string }>('accounts/find-user-by-email', [email])
    if (invited !== null && (await tx.row('accounts/read-membership', [orgId, invited.id])) !== null)
      return refuse('already_member')
    await tx.run('accounts/delete-open-invites', [orgId, email])
    const count = await tx.row<{ open: number }>('accounts/count-open-invites', [orgId])
    if ((count?.open ?? 0) >= maxOpen) return refuse('too_many_invites')

    const token = `tw_inv_${randomBytes(32).toString('base64url')}`
    const made = { id: makeUuidV7(), email, role, token, expiresAt: new Date(deps.now().getTime() + lifeMs) }
    await tx.run('accounts/insert-invite', [
      made.id,
      orgId,
      email,
      role,
      digestInvite(token),
      who.userId,
      made.expiresAt,
    ])
    const line = { from: input.from, userId: who.userId, orgId, target: made.id, detail: { role } }
    await writeAudit(tx, { action: 'member.invite', ...line })
    return ok(made)
  })
}

/** 256 random bits need no salt. */
export const digestInvite = (token: string): Buffer => createHash('sha256').update(token).digest()
