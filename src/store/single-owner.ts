// Limits a database to one service, by a session lock that a second process cannot take.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pause } from '../base/pause.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { answerInTime, connectInTime } from './brief-client.ts'
import { endClient } from './end-client.ts'
import { refuseTransactionPooler } from './refuse-pooler.ts'

export type SingleOwnerOptions = {
  readonly url: string
  /** Shares the lock with other processes that set this flag, as those of a cluster do. A process without the flag conflicts with them. */
  readonly isShared?: boolean
  /** Another process has taken the lock, so this one must stop. Called at most once, never after `release`. */
  readonly onLost: (error: Error) => void
  /** The connection died, and the lock with it, for example because the server restarts. The lock is being taken again. */
  readonly onBroken?: (error: Error) => void
  /** The lock is held again. */
  readonly onReclaimed?: () => void
  /** How long to wait for a predecessor that is just ending. */
  readonly waitMs?: number
  /** Like `waitMs`, after a broken connection: the server may still treat the broken session as alive. */
  readonly reclaimWaitMs?: number
  /** How long nothing is sent before the server is checked. Read before each check. */
  readonly checkMs?: number
}

export type SingleOwner = {
  /** Resolves within seconds, even if the server has stopped answering. */
  release(): Promise<void>
}

const retryIntervalMs = 100
const reconnectIntervalMs = 500
// Shorter than the time for which firewalls remember an idle connection. TCP's own probes would begin after two hours.
const checkIntervalMs = 30_000

/**
 * Holds the lock on a connection of its own, since a pool would hand the session on. Throws if another process holds the lock. While a
 * broken connection is being replaced, the process keeps working: the database alone ensures that nothing happens twice. Refuses a URL
 * that leads through a pooler in transaction mode, which breaks session locks.
 */
export async function becomeSingleOwner(options: SingleOwnerOptions): Promise<SingleOwner> {
  await refuseTransactionPooler(options.url)
  const released = new AbortController()
  let reclaiming: Promise<void> | null = null
  let client = await hold(options.waitMs ?? 3_000)

  async function hold(waitMs: number): Promise<pg.Client> {
    const next = new pg.Client({
      connectionString: options.url,
      application_name: 'tracewright-owner',
      keepAlive: true,
    })
    let isHeld = false
    const lose = (error: Error): void => {
      if (!isHeld || released.signal.aborted) return
      isHeld = false
      options.onBroken?.(error)
      reclaiming = reclaim()
    }
    next.on('error', lose)
    next.on('end', () => lose(new Error('the connection that holds the owner lock was closed')))
    // A server that does not answer must not delay a release.
    const abandon = (): void => void next.connection.stream.destroy()
    released.signal.addEventListener('abort', abandon)
    await connectInTime(next).finally(() => released.signal.removeEventListener('abort', abandon))
    try {
      await acquire(next, options.isShared === true, waitMs, released.signal)
    } catch (error) {
      await endClient(next)
      throw error
    }
    isHeld = true
    void check(next)
    return next
  }

  /** Runs until the connection ends. Ends a connection that does not answer, since another process may hold the lock by then. */
  async function check(held: pg.Client): Promise<void> {
    const pause = { signal: released.signal, ref: false }
    try {
      for (;;) {
        await sleep(options.checkMs ?? checkIntervalMs, undefined, pause)
        await answerInTime(held.query('select 1'))
      }
    } catch {
      // A release closes the connection in order.
      if (!released.signal.aborted) held.connection.stream.destroy()
    }
  }

  async function reclaim(): Promise<void> {
    while (!released.signal.aborted) {
      try {
        client = await hold(options.reclaimWaitMs ?? 30_000)
        options.onReclaimed?.()
        return
      } catch (error) {
        // Any other error means that the server is not back yet.
        if (error instanceof TakenError && !released.signal.aborted) return options.onLost(error)
      }
      await pause(reconnectIntervalMs, released.signal)
    }
  }

  return {
    async release() {
      released.abort()
      await reclaiming
      await endClient(client)
    },
  }
}

class TakenError extends Error {}

async function acquire(client: pg.Client, isShared: boolean, waitMs: number, signal: AbortSignal): Promise<void> {
  const lock = isShared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  const deadlineMs = performance.now() + waitMs
  for (;;) {
    const { rows } = await answerInTime(
      client.query<{ held: boolean }>(`select ${lock}($1) as held`, [advisoryLocks.owner.key]),
    )
    if (rows[0]?.held === true) return
    if (performance.now() >= deadlineMs || signal.aborted) {
      throw new TakenError(
        isShared
          ? 'a Tracewright process without NATS runs on this database: stop it, or let it join the cluster'
          : 'another Tracewright process already runs on this database: stop it, or run as a cluster with NATS',
      )
    }
    await sleep(retryIntervalMs)
  }
}
