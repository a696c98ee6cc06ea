// Floor 3. One small transaction of a removal: gives way to whoever else needs the rows, and leaves as much time as it took.
import { setTimeout as sleep } from 'node:timers/promises'
import { Outage } from '../base/fault.ts'
import type { Database, Tx } from '../store/database.ts'
import { isLockedOut } from '../store/sqlstate.ts'

export type BatchOptions = {
  readonly db: Database
  /** Whoever waits for a lock makes others wait behind it: how long that may last. */
  readonly lockTimeoutMs: number
  /** Pause after a lock that was not to be had. */
  readonly retryMs: number
  readonly signal: AbortSignal
}

const maxTries = 5

/**
 * Runs the work in a transaction, up to five times where a lock is taken, and then pauses for as long as it took.
 * Gives null where another process removes just now, or at a stop. Throws Outage where the database or the lock was not to be had.
 */
export async function runBatch<T>(options: BatchOptions, work: (tx: Tx) => Promise<T>): Promise<T | null> {
  for (let tries = 1; ; tries += 1) {
    if (options.signal.aborted) return null
    const startedAtMs = performance.now()
    try {
      const result = await options.db.tx(async (tx) => {
        const lock = await tx.row<{ held: boolean }>('retention/begin-batch', [`${options.lockTimeoutMs}ms`])
        return lock?.held === true ? await work(tx) : null
      })
      await pause(performance.now() - startedAtMs, options.signal)
      return result
    } catch (error) {
      if (tries >= maxTries || !isLockedOut(error instanceof Outage ? error.cause : error)) throw error
      await pause(options.retryMs, options.signal)
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // A stop ends the pause; whoever comes next sees it for himself.
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
