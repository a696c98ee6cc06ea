// Changes the password of the signed-in user and ends the user's other sessions.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import { type Origin, writeAudit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import type { Session } from '../../web/route.ts'
import type { Throttle } from '../throttle.ts'
import { findPasswordFault } from './check.ts'
import type { PasswordHasher } from './hash.ts'

type Deps = {
  readonly db: Database
  readonly hasher: PasswordHasher
  readonly throttle: Throttle
  readonly now: () => Date
  readonly onSessionsEnded: (userId: string) => void
}
type Input = { readonly who: Session; readonly current: string; readonly next: string; readonly from: Origin }
type Row = { readonly email: string; readonly name: string | null; readonly password_hash: string }
export type PasswordCode = 'signed_out' | 'wrong_password' | 'own_words'

/**
 * Two hashes. Attempts are counted by session, so that an attacker with another session cannot lock the user out. Throws Outage (429, 503).
 */
export async function changePassword(deps: Deps, input: Input): Promise<Outcome<undefined, PasswordCode>> {
  const { db, hasher } = deps
  const { who, from } = input
  const asked = { userId: who.userId, sessionId: who.sessionId, ip: from.ip }
  // The second hash is a part of the attempt: outside of it, one user could fill the queue for hashes.
  const checked = await deps.throttle.password(asked, async () => {
    const row = await db.row<Row>('accounts/read-signed-in-user', [who.sessionId, who.userId])
    if (row === null) return { ...refuse('signed_out'), isWrong: false }
    if (!(await hasher.verify(input.current, row.password_hash)).matches)
      return { ...refuse('wrong_password'), isWrong: true }
    const context = { email: row.email, words: [row.name ?? undefined] }
    if (findPasswordFault(input.next, context) !== null) return { ...refuse('own_words'), isWrong: false }
    return { ...ok({ row, fresh: await hasher.hash(input.next) }), isWrong: false }
  })
  const line = { from, userId: who.userId, target: who.userId }
  if (checked.isWrong) await writeAudit(db, { action: 'auth.password_failed', ...line })
  if (!checked.ok) return refuse(checked.code)
  const { row, fresh } = checked.value
  const now = deps.now()
  const changed = await db.tx(async (tx) => {
    await tx.row('accounts/lock-user', [who.userId])
    // Rechecked after the lock: a reset may have ended this session in the meantime, and must not be undone.
    if ((await tx.row('accounts/read-signed-in-user', [who.sessionId, who.userId])) === null) return 'signed_out'
    if ((await tx.run('accounts/change-password', [who.userId, row.password_hash, fresh, now])) === 0)
      return 'wrong_password'
    const sessions = await tx.run('accounts/end-sessions', [who.userId, who.sessionId, now, 'password'])
    await tx.run('accounts/delete-resets', [who.userId])
    await writeAudit(tx, { action: 'auth.password_change', ...line, detail: { sessions_ended: sessions } })
    return null
  })
  if (changed !== null) return refuse(changed)
  deps.onSessionsEnded(who.userId)
  return ok(undefined)
}
