// Deletes expired rows of accounts: throttle windows, sessions, invites, reset tokens.
import type { Database } from '../store/database.ts'

const dayMs = 86_400_000
/** Rows per delete; the statements have the same limit. */
const batchRows = 10_000

/**
 * Deletes all expired rows, without a limit: strangers create as many windows as they have addresses, so a limited sweep would let these
 * accumulate. `signal` ends it between two deletes.
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
