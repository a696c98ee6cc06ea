// One small transaction of a removal: gives way to whoever else needs the rows, and leaves as much time as it took.
import { setTimeout as sleep } from 'node:timers/promises'
import { Outage } from '../base/fault.ts'
import type { Database, Tx } from '../store/database.ts'
import { isLockedOut, readSqlstate, sqlstate } from '../store/sqlstate.ts'

export type BatchOptions = {
  readonly db: Database
  /** Whoever waits for a lock makes others wait behind it: how long that may last. */
  readonly lockTimeoutMs: number
  /** Pause after a lock that was not to be had, or while another process removes. */
  readonly retryMs: number
  readonly signal: AbortSignal
}

const maxTries = 5

/**
 * Runs the work in a transaction, up to five times where a lock is taken, and then pauses for as long as it took. While another process
 * removes, it asks again after each pause. Gives null at a stop. Throws Outage where the database or a lock was not to be had.
 */
export async function runBatch<T>(options: BatchOptions, work: (tx: Tx) => Promise<T>): Promise<T | null> {
  let refusals = 0
  while (!options.signal.aborted) {
    const startedAtMs = performance.now()
    try {
      const done = await runAlone(options, work)
      // The other process holds the lock for one batch only, which may be of another workspace: what is left here may be left to us.
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

/** False where the failure is that of the database as a whole, and whatever else is removed would meet it too. */
export function isOfItsRows(error: unknown): boolean {
  if (!(error instanceof Outage)) return true
  return isLockedOut(error.cause) || readSqlstate(error.cause) === sqlstate.queryCanceled
}

/** Gives null where another process removes just now. */
async function runAlone<T>(
  { db, lockTimeoutMs }: BatchOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<{ readonly result: T } | null> {
  return await db.tx(async (tx) => {
    const lock = await tx.row<{ held: boolean }>('retention/begin-batch', [`${lockTimeoutMs}ms`])
    return lock?.held === true ? { result: await work(tx) } : null
  })
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // A stop ends the pause; whoever comes next sees it for himself.
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
