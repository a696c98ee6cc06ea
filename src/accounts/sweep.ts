// Rows of accounts whose time is over: throttle windows, sessions, invites, reset tokens.
import type { Database } from '../store/database.ts'

const dayMs = 86_400_000
/** Of one delete, as the statements have it. */
const batchRows = 10_000

/**
 * Deletes all of them: strangers make as many windows as they have addresses, so that a bound on one sweep would let these pile up. `signal`
 * ends it between two deletes.
 */
export async function sweepAccounts(db: Database, now: Date, signal: AbortSignal): Promise<void> {
  const dayAgo = new Date(now.getTime() - dayMs)
  const sweeps = [
    ['accounts/sweep-throttles', now],
    ['accounts/sweep-sessions', dayAgo],
    ['accounts/sweep-invites', dayAgo],
    ['accounts/sweep-resets', now],
  ] as const
  for (const [statement, before] of sweeps) {
    let removed = batchRows
    while (removed === batchRows && !signal.aborted) removed = await db.run(statement, [before])
  }
}
