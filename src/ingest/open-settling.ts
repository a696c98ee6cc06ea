// Floor 3. The loop that settles: runs while the service runs, pauses when there is nothing to do, and survives outages.
import type { Database } from '../store/database.ts'
import { settleDueTraces } from './settle-traces.ts'

export type SettlingOptions = {
  readonly db: Database
  /** How long a trace must have been quiet. */
  readonly quietMs: number
  readonly onSettled: (settled: { traces: number; lagMs: number }) => void
  readonly onError: (error: unknown) => void
}

export type Settling = { stop(): Promise<void> }

const maxPauseMs = 1_000
const minPauseMs = 20
const forgetEveryMs = 60_000

export function openSettling(options: SettlingOptions): Settling {
  const pauseMs = Math.max(minPauseMs, Math.min(maxPauseMs, options.quietMs / 4))
  const stopping = new AbortController()
  const running = run()

  async function run(): Promise<void> {
    let forgottenAtMs = 0
    while (!stopping.signal.aborted) {
      const settled = await settleOnce()
      if (performance.now() - forgottenAtMs > forgetEveryMs) {
        forgottenAtMs = performance.now()
        await options.db.run('ingest/forget-commits').catch(options.onError)
      }
      if (settled === 0) await pause(pauseMs, stopping.signal)
    }
  }

  async function settleOnce(): Promise<number> {
    try {
      const settled = await settleDueTraces(options.db, options.quietMs)
      options.onSettled(settled)
      return settled.traces
    } catch (error) {
      options.onError(error)
      return 0
    }
  }

  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done()
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish, { once: true })
    function finish(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      done()
    }
  })
}
