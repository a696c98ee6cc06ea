// Sets a new password with a reset token, which works once, and ends all sessions of the user.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import { type Origin, writeAudit } from '../../store/audit.ts'
import type { Database, Tx } from '../../store/database.ts'
import { findPasswordFault } from '../password/check.ts'
import type { PasswordHasher } from '../password/hash.ts'
import type { Throttle } from '../throttle.ts'
import { mayReset } from './link.ts'
import { digestReset } from './token.ts'

export type ConfirmDeps = {
  readonly db: Database
  readonly hasher: PasswordHasher
  readonly throttle: Throttle
  readonly now: () => Date
  readonly onSessionsEnded: (userId: string) => void
}
type Input = { readonly token: string; readonly password: string; readonly from: Origin }
type Found = {
  readonly user_id: string
  readonly made_by: string | null
  readonly org_id: string | null
  readonly email: string
  readonly name: string | null
}
export type ConfirmCode = 'bad_reset_token' | 'own_words'

/** Unknown, used and expired tokens get the same answer and cost two queries; a valid token costs one hash. Throws Outage (429, 503). */
export async function confirmReset(
  deps: ConfirmDeps,
  { token, password, from }: Input,
): Promise<Outcome<undefined, ConfirmCode>> {
  await deps.throttle.token(from.ip)
  const digest = digestReset(token)
  const found = await deps.db.row<Found>('accounts/find-reset', [digest, deps.now()])
  if (found === null) return refuse('bad_reset_token')
  // The token stays valid, so that the user can choose a better password.
  if (findPasswordFault(password, { email: found.email, words: [found.name ?? undefined] }) !== null)
    return refuse('own_words')
  // Requests that have the same token at the same time all hash.
  const fresh = await deps.throttle.hash(from.ip, async () => await deps.hasher.hash(password))
  const now = deps.now()
  const isDone = await deps.db.tx(async (tx) => {
    await tx.row('accounts/lock-user-and-memberships', [found.user_id])
    if (!(await isStillAllowed(tx, found))) return false
    if ((await tx.run('accounts/spend-reset', [digest, now])) === 0) return false
    await tx.run('accounts/reset-password', [found.user_id, fresh, now])
    const sessions = await tx.run('accounts/end-sessions', [found.user_id, null, now, 'reset'])
    await tx.run('accounts/delete-resets', [found.user_id])
    await writeAudit(tx, {
      action: 'auth.reset',
      from,
      userId: found.made_by === null ? found.user_id : null,
      target: found.user_id,
      ...(found.org_id === null ? {} : { orgId: found.org_id }),
      detail: { sessions_ended: sessions, by_link: found.made_by !== null },
    })
    return true
  })
  if (!isDone) return refuse('bad_reset_token')
  deps.onSessionsEnded(found.user_id)
  return ok(undefined)
}

/** Checks a link again: the user may have joined another org since an owner made it, or that owner may have lost the role. */
const isStillAllowed = async (tx: Tx, { user_id: userId, made_by: ownerId, org_id: orgId }: Found): Promise<boolean> =>
  ownerId === null || orgId === null || (await mayReset(tx, { ownerId, userId, orgId })).isAllowed
