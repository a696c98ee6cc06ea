// Keeps the embedded PostgreSQL running: restarts it at the same address after it ends by itself or is killed.
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { claimFolder } from '../claim-folder.ts'
import { makeDataFolder } from '../data-folder.ts'
import { type WatchLimits, watchLimits, watchServer } from '../watch-server.ts'
import { type EmbeddedOptions, type EmbeddedPostgres, ForeignServerError, startEmbeddedPostgres } from './server.ts'

export type SupervisionLimits = WatchLimits & {
  /** How long a failed restart is retried, in ms. */
  readonly restartMs: number
  /** In which period the ends of the server are counted, in ms. */
  readonly endsWindowMs: number
  /** More ends in that period end the supervision. */
  readonly maxEnds: number
}

export type SupervisionOptions = Omit<EmbeddedOptions, 'mayReplace'> & {
  readonly limits?: SupervisionLimits
  /** The server runs but will not accept connections again by itself. It is being ended; `onEnded` follows. */
  readonly onUnresponsive: (pid: number, reason: string) => void
  /** The server has ended and is being started again. */
  readonly onEnded: (pid: number) => void
  /** The server answers again, `awayMs` after its end. */
  readonly onRestarted: (pid: number, awayMs: number) => void
  /** The server has ended for good. Not called after `expectEnd` or `stop`. */
  readonly onFailed: (error: Error) => void
}

export type SupervisedPostgres = Pick<EmbeddedPostgres, 'url' | 'adopted'> & {
  /** The process id of the server that runs now, or ran last. */
  pid(): number
  /** False while the server is down or refuses new connections. Open connections may still work. */
  isAccepting(): boolean
  /** Why the server is no longer restarted; null while it runs or will be restarted. */
  readFailure(): Error | null
  /** Announces that the server may end from here on, for a shutdown that closes its connections first. */
  expectEnd(): void
  /** Ends the server, even in the middle of a restart, and releases the folder. `forceAfterMs`: as of `EmbeddedPostgres.stop`. */
  stop(forceAfterMs?: number): Promise<void>
}

export const supervisionLimits: SupervisionLimits = {
  ...watchLimits,
  restartMs: 15_000,
  endsWindowMs: 60_000,
  maxEnds: 5,
}

const retryIntervalMs = 250
const forceAfterMs = 2_000

/**
 * Starts the server for the one service of the data directory. The server is ready when the promise resolves. Throws if another service has
 * claimed the folder, or if the server cannot be started. A server that no longer accepts connections is ended. A failed restart is retried
 * for 15 s. After more than 5 ends within a minute, the supervision ends.
 */
export async function superviseEmbeddedPostgres(options: SupervisionOptions): Promise<SupervisedPostgres> {
  makeDataFolder(options.dataDir)
  const claim = await claimFolder(resolve(options.dataDir))
  const stopping = new AbortController()
  const stopped = new Promise<void>((done) => stopping.signal.addEventListener('abort', () => done()))
  let server: EmbeddedPostgres
  try {
    server = await startEmbeddedPostgres({ ...options, mayReplace: true })
  } catch (error) {
    claim.undo()
    throw error
  }
  const { url, adopted } = server
  const limits = options.limits ?? supervisionLimits
  let failure: Error | null = null
  let isAccepting = true
  const kept = keep()

  function giveUp(error: Error): void {
    failure = error
    options.onFailed(error)
  }

  async function keep(): Promise<void> {
    let ends: number[] = []
    for (;;) {
      await untilEnded()
      if (stopping.signal.aborted) return
      isAccepting = false
      const endedAtMs = performance.now()
      ends = [...ends.filter((atMs) => atMs > endedAtMs - limits.endsWindowMs), endedAtMs]
      if (ends.length > limits.maxEnds)
        return giveUp(new Error(`PostgreSQL has ended ${ends.length} times within ${limits.endsWindowMs / 1_000} s`))
      options.onEnded(server.pid)
      try {
        server = await restart(endedAtMs + limits.restartMs)
      } catch (error) {
        if (!stopping.signal.aborted) giveUp(error as Error)
        return
      }
      isAccepting = true
      options.onRestarted(server.pid, Math.round(performance.now() - endedAtMs))
    }
  }

  /** Resolves when the server has ended or the keeper is stopped. Ends a server that no longer accepts connections. */
  async function untilEnded(): Promise<void> {
    const { ended, isRecovering } = server
    const leaving = new AbortController()
    watchServer({
      url: url('postgres'),
      isRecovering,
      limits,
      onAnswer(answer) {
        if (answer !== 'unclear') isAccepting = answer === 'accepts'
      },
      signal: AbortSignal.any([stopping.signal, leaving.signal]),
    })
      .then(async (reason) => {
        if (reason === null) return
        isAccepting = false
        options.onUnresponsive(server.pid, reason)
        await server.stop(forceAfterMs)
      })
      // This process may not be allowed to signal the server, for example if another user runs it.
      .catch(giveUp)
    await Promise.race([ended, stopped])
    leaving.abort()
  }

  async function restart(deadlineMs: number): Promise<EmbeddedPostgres> {
    for (;;) {
      try {
        return await server.startAgain(stopping.signal)
      } catch (error) {
        const isFinal = error instanceof ForeignServerError || performance.now() > deadlineMs
        if (isFinal || stopping.signal.aborted)
          throw new Error(`PostgreSQL has ended and could not be started again: ${(error as Error).message}`, {
            cause: error,
          })
      }
      await sleep(retryIntervalMs, undefined, { signal: stopping.signal })
    }
  }

  return {
    url,
    adopted,
    pid: () => server.pid,
    isAccepting: () => isAccepting,
    readFailure: () => failure,
    expectEnd: () => stopping.abort(),
    async stop(forceAfterMs) {
      stopping.abort()
      await kept
      await server.stop(forceAfterMs)
      claim.release()
    },
  }
}
