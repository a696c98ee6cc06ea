// Ends sessions of a user: one, or all except the current one. Only what ends a session is recorded and notified.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import { type Origin, writeAudit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import type { Session } from '../../web/route.ts'

type Deps = {
  readonly db: Database
  readonly now: () => Date
  readonly onSessionsEnded: (userId: string) => void
}

/** Idempotent. A session of another user gets the same answer as one that does not exist. */
export async function endSession(
  deps: Deps,
  { who, sessionId, from }: { readonly who: Session; readonly sessionId: string; readonly from: Origin },
): Promise<Outcome<undefined, 'signed_out' | 'not_found'>> {
  const outcome = await deps.db.tx(async (tx): Promise<Outcome<number, 'signed_out' | 'not_found'>> => {
    if ((await tx.row('accounts/read-signed-in-user', [who.sessionId, who.userId])) === null)
      return refuse('signed_out')
    const row = await tx.row<{ ended: number }>('accounts/end-session', [sessionId, who.userId, deps.now()])
    if (row === null) return refuse('not_found')
    if (row.ended > 0) await writeAudit(tx, { action: 'auth.session_end', from, userId: who.userId, target: sessionId })
    return ok(row.ended)
  })
  if (!outcome.ok) return outcome
  if (outcome.value > 0) deps.onSessionsEnded(who.userId)
  return ok(undefined)
}

export async function endOtherSessions(
  deps: Deps,
  { who, from }: { readonly who: Session; readonly from: Origin },
): Promise<Outcome<undefined, 'signed_out'>> {
  const ended = await deps.db.tx(async (tx) => {
    // Serializes with a concurrent sign-in, which happens entirely before or after.
    await tx.row('accounts/lock-user', [who.userId])
    if ((await tx.row('accounts/read-signed-in-user', [who.sessionId, who.userId])) === null) return null
    const sessions = await tx.run('accounts/end-sessions', [who.userId, who.sessionId, deps.now(), 'ended'])
    if (sessions === 0) return 0
    const line = { from, userId: who.userId, target: who.userId, detail: { sessions_ended: sessions } }
    await writeAudit(tx, { action: 'auth.session_end', ...line })
    return sessions
  })
  if (ended === null) return refuse('signed_out')
  if (ended > 0) deps.onSessionsEnded(who.userId)
  return ok(undefined)
}
