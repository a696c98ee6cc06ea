// One small transaction of a removal. It yields to other users of the rows, and then pauses for as long as it took.
import { Outage } from '../base/fault.ts'
import { pause } from '../base/pause.ts'
import { isCanceled } from '../store/batch-size.ts'
import type { Database, Tx } from '../store/database.ts'
import { isLockedOut } from '../store/sqlstate.ts'

export type RemovalBatchOptions = {
  readonly db: Database
  /** How long the batch waits for a lock. Other sessions queue behind it for that time. */
  readonly lockTimeoutMs: number
  /** Pause after a lock could not be acquired, or while another process removes. */
  readonly retryMs: number
  readonly signal: AbortSignal
}

const maxTries = 5

/**
 * Runs the work in a transaction, in up to five attempts if a lock is taken, and then pauses for as long as it took. While another process
 * removes, it retries after each pause. Returns null on a stop. Throws Outage if the database is unavailable or a lock could not be
 * acquired.
 */
export async function runBatch<T>(options: RemovalBatchOptions, work: (tx: Tx) => Promise<T>): Promise<T | null> {
  let refusals = 0
  while (!options.signal.aborted) {
    const startedAtMs = performance.now()
    try {
      const done = await runAlone(options, work)
      // The other process holds the lock for one batch only, perhaps of another workspace, so this process has to try again.
      await pause(done === null ? options.retryMs : performance.now() - startedAtMs, options.signal)
      if (done !== null) return done.result
    } catch (error) {
      refusals += 1
      if (refusals >= maxTries || !isLockedOut(error instanceof Outage ? error.cause : error)) throw error
      await pause(options.retryMs, options.signal)
    }
  }
  return null
}

/** True if the failure concerns the rows of the batch; false if the database as a whole fails, which other removals would meet too. */
export function isOfItsRows(error: unknown): boolean {
  if (!(error instanceof Outage)) return true
  return isLockedOut(error.cause) || isCanceled(error)
}

/** Returns null if another process is removing at the moment. */
async function runAlone<T>(
  { db, lockTimeoutMs }: RemovalBatchOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<{ readonly result: T } | null> {
  return await db.tx(async (tx) => {
    const lock = await tx.row<{ held: boolean }>('retention/begin-batch', [`${lockTimeoutMs}ms`])
    return lock?.held === true ? { result: await work(tx) } : null
  })
}
