// Floor 2. Keeps the embedded PostgreSQL running: where it ends by itself, or is killed, it is started again at the same address.
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { claimFolder } from './claim-folder.ts'
import { type EmbeddedOptions, type EmbeddedPostgres, ForeignServerError, startEmbeddedPostgres } from './embedded.ts'

export type KeepOptions = EmbeddedOptions & {
  /** It has ended, and is being started again. */
  readonly onEnded: (pid: number) => void
  /** It answers again, so long after its end. */
  readonly onRestarted: (pid: number, awayMs: number) => void
}

export type KeptPostgres = Pick<EmbeddedPostgres, 'url' | 'adopted'> & {
  /** Of the server that runs now, or ran last. */
  pid(): number
  /** Why it is not started again any more; null while it runs, or will. */
  readFailure(): Error | null
  /** It may end from here on: for a stop that closes its connections first. */
  expectEnd(): void
  /** Ends it, also in the middle of a restart, and gives the folder free. */
  stop(): Promise<void>
}

const restartDeadlineMs = 20_000
const retryIntervalMs = 250
const endsWindowMs = 60_000
const maxEndsInWindow = 5

/**
 * For the one service of the data folder. Ready when it resolves; throws where another service has the folder, or the server cannot be
 * started. A restart that fails is tried again for 20 s, and a server that ends more than 5 times within a minute is given up.
 */
export async function keepEmbeddedPostgres(options: KeepOptions): Promise<KeptPostgres> {
  mkdirSync(options.dataDir, { recursive: true })
  const claim = await claimFolder(resolve(options.dataDir))
  const stopping = new AbortController()
  const stopped = new Promise<void>((done) => stopping.signal.addEventListener('abort', () => done()))
  let server: EmbeddedPostgres
  try {
    server = await startEmbeddedPostgres(options)
  } catch (error) {
    claim.release()
    throw error
  }
  const { url, adopted } = server
  let failure: Error | null = null
  const kept = keep()

  async function keep(): Promise<void> {
    let ends: number[] = []
    for (;;) {
      await Promise.race([server.ended, stopped])
      if (stopping.signal.aborted) return
      const endedAtMs = performance.now()
      ends = [...ends.filter((atMs) => atMs > endedAtMs - endsWindowMs), endedAtMs]
      if (ends.length > maxEndsInWindow) {
        failure = new Error(`PostgreSQL has ended ${ends.length} times within a minute`)
        return
      }
      options.onEnded(server.pid)
      try {
        server = await restart(endedAtMs + restartDeadlineMs)
      } catch (error) {
        if (!stopping.signal.aborted) failure = error as Error
        return
      }
      options.onRestarted(server.pid, Math.round(performance.now() - endedAtMs))
    }
  }

  async function restart(deadlineMs: number): Promise<EmbeddedPostgres> {
    for (;;) {
      try {
        return await server.startAgain(stopping.signal)
      } catch (error) {
        const isFinal = error instanceof ForeignServerError || performance.now() > deadlineMs
        if (isFinal || stopping.signal.aborted)
          throw new Error('PostgreSQL has ended and could not be started again', { cause: error })
      }
      await sleep(retryIntervalMs, undefined, { signal: stopping.signal })
    }
  }

  return {
    url,
    adopted,
    pid: () => server.pid,
    readFailure: () => failure,
    expectEnd: () => stopping.abort(),
    async stop() {
      stopping.abort()
      await kept
      await server.stop()
      claim.release()
    },
  }
}
