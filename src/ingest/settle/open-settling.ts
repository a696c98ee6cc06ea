// The loop that settles traces: it runs as long as the service, pauses when no trace is due, and survives outages.
import { pause } from '../../base/pause.ts'
import type { Database } from '../../store/database.ts'
import { makePostponedTraces } from './postponed.ts'
import { hasDueTraces, maxTraces, nothingSettled, settleDueTraces } from './settle-traces.ts'
import type { TraceKey } from './trace-span.ts'

export type SettlingOptions = {
  readonly db: Database
  /** How long a trace must have received no spans before it is settled. */
  readonly quietMs: number
  readonly onSettled: (settled: { traces: number; lagMs: number }) => void
  readonly onError: (error: unknown) => void
}

export type Settling = { stop(): Promise<void> }

const maxPauseMs = 1_000
const minPauseMs = 20
const tidyEveryMs = 60_000

export function openSettling(options: SettlingOptions): Settling {
  const pauseMs = Math.max(minPauseMs, Math.min(maxPauseMs, options.quietMs / 4))
  const stopping = new AbortController()
  const postponed = makePostponedTraces()
  let limit = maxTraces
  const running = run()

  async function run(): Promise<void> {
    let tidiedAtMs = Number.NEGATIVE_INFINITY
    let hasSettled = false
    while (!stopping.signal.aborted) {
      hasSettled = await settleOnce(hasSettled)
      if (performance.now() - tidiedAtMs > tidyEveryMs) {
        tidiedAtMs = performance.now()
        await options.db.run('ingest/forget-commits').catch(options.onError)
        await options.db.run('ingest/sweep-empty-agents').catch(options.onError)
      }
      if (!hasSettled) await pause(pauseMs, stopping.signal)
    }
  }

  /** Resolves to whether traces were settled. */
  async function settleOnce(isBusy: boolean): Promise<boolean> {
    let picked: readonly TraceKey[] = []
    try {
      // On an idle service, one statement instead of a transaction.
      if (!isBusy && !(await hasDueTraces(options.db, options.quietMs))) {
        options.onSettled(nothingSettled)
        return false
      }
      const settled = await settleDueTraces(options.db, options.quietMs, {
        maxTraces: limit,
        skip: postponed.list(performance.now()),
        onPicked: (traces) => {
          picked = traces
        },
      })
      for (const trace of picked) postponed.remove(trace)
      limit = Math.min(maxTraces, limit * 2)
      options.onSettled(settled)
      return settled.traces > 0
    } catch (error) {
      // Retry with fewer traces, down to the one that fails, so that it does not keep the others from being settled.
      const [first] = picked
      if (picked.length === 1 && first !== undefined) postponed.add(first, performance.now())
      else if (picked.length > 1) limit = Math.ceil(picked.length / 4)
      options.onError(error)
      return false
    }
  }

  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
