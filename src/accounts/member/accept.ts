// Accepts an invite. The caller must have the token and the address that the invite was sent to.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import { type Origin, writeAudit } from '../../store/audit.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { Role, Session } from '../../web/route.ts'
import { formsOf } from '../address/email-address.ts'
import type { Org } from '../org.ts'
import { digestInvite } from './invite.ts'

type OpenInvite = { readonly id: string; readonly org: Org }
type Deps = { readonly db: Database; readonly now: () => Date; readonly onMembershipChange: (userId: string) => void }
type Input = { readonly who: Session; readonly token: string; readonly from: Origin }

/**
 * Five to eight statements. Rechecks the session, so that a logout acts at once. Unknown, used and expired tokens, and tokens for another
 * address, get the same answer.
 */
export async function acceptInvite(
  deps: Deps,
  input: Input,
): Promise<Outcome<Org, 'signed_out' | 'not_found' | 'already_member'>> {
  const { userId } = input.who
  const outcome = await deps.db.tx(async (tx): Promise<Outcome<Org, 'signed_out' | 'not_found' | 'already_member'>> => {
    const user = await tx.row<{ email: string }>('accounts/read-signed-in-user', [input.who.sessionId, userId])
    if (user === null) return refuse('signed_out')
    if (!(await lockOrgOfInvite(tx, input.token))) return refuse('not_found')
    // Guards against a concurrent deletion of the user. Locked after the org and before the invite, as in the deletion.
    if ((await tx.row('accounts/lock-user', [userId])) === null) return refuse('signed_out')
    const invite = await lockInvite(tx, input.token, formsOf(user.email), deps.now())
    if (invite === null) return refuse('not_found')
    const joined = await tx.row('accounts/insert-membership', [invite.org.id, userId, invite.org.role])
    if (joined === null) return refuse('already_member')
    await spendInvite(tx, invite, userId, input.from, deps.now())
    return ok(invite.org)
  })
  if (outcome.ok) deps.onMembershipChange(userId)
  return outcome
}

/** Locks the org, so that it is not deleted in the meantime, then the invite, so that it is used only once. */
export async function findInvite(
  tx: Tx,
  token: string,
  emailForms: readonly string[],
  now: Date,
): Promise<OpenInvite | null> {
  return (await lockOrgOfInvite(tx, token)) ? await lockInvite(tx, token, emailForms, now) : null
}

/** Returns false if the invite does not exist or its org is deleted. */
async function lockOrgOfInvite(tx: Tx, token: string): Promise<boolean> {
  const of = await tx.row<{ org_id: string }>('accounts/find-org-of-invite', [digestInvite(token)])
  return of !== null && (await tx.row('accounts/lock-org', [of.org_id])) !== null
}

async function lockInvite(tx: Tx, token: string, emailForms: readonly string[], now: Date): Promise<OpenInvite | null> {
  const row = await tx.row<{ id: string; org_id: string; org_name: string; role: Role }>('accounts/find-invite', [
    digestInvite(token),
    emailForms,
    now,
  ])
  return row === null ? null : { id: row.id, org: { id: row.org_id, name: row.org_name, role: row.role } }
}

export async function spendInvite(tx: Tx, invite: OpenInvite, userId: string, from: Origin, now: Date): Promise<void> {
  await tx.run('accounts/accept-invite', [invite.id, now])
  await writeAudit(tx, {
    action: 'member.join',
    from,
    userId,
    orgId: invite.org.id,
    target: userId,
    detail: { role: invite.org.role, invite: invite.id },
  })
}
