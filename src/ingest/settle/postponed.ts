// Traces that could not be settled. They are retried at growing intervals, and skipped in between.
import type { TraceKey } from './settle-traces.ts'

export type PostponedTraces = {
  /** The traces whose next attempt is not due yet. */
  list(nowMs: number): TraceKey[]
  /** Records another failure. The delay doubles with each failure, from 5 s to 10 min. */
  add(trace: TraceKey, nowMs: number): void
  remove(trace: TraceKey): void
}

type Entry = { readonly trace: TraceKey; readonly untilMs: number; readonly delayMs: number }

const firstDelayMs = 5_000
const maxDelayMs = 600_000
// Each entry costs a comparison for each due trace. Beyond the limit the oldest entry is dropped: that trace simply fails once more.
const maxTraces = 200

export function makePostponedTraces(): PostponedTraces {
  const entries = new Map<string, Entry>()
  const keyOf = (trace: TraceKey): string => `${trace.workspace_id} ${trace.trace_id.toString('hex')}`
  return {
    list: (nowMs) => [...entries.values()].filter(({ untilMs }) => untilMs > nowMs).map(({ trace }) => trace),
    add(trace, nowMs) {
      const key = keyOf(trace)
      const delayMs = Math.min(maxDelayMs, (entries.get(key)?.delayMs ?? firstDelayMs / 2) * 2)
      entries.delete(key)
      entries.set(key, { trace, untilMs: nowMs + delayMs, delayMs })
      const oldest = entries.keys().next().value
      if (entries.size > maxTraces && oldest !== undefined) entries.delete(oldest)
    },
    remove: (trace) => void entries.delete(keyOf(trace)),
  }
}
