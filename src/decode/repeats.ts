// Finds spans that occur more than once in a request.
import type { Event } from '../event/event.ts'

export type Repeats = {
  /** Returns whether it was called with a span of the same key before. About 0.1 µs. */
  isRepeat(event: Event): boolean
  count(): number
  /** Call it before the next request. */
  clear(): void
}

/** The key of a span in the database, which stores microseconds. */
const keyOf = ({ traceId, spanId, startTimeUnixNano }: Event): string =>
  `${traceId}${spanId}${startTimeUnixNano / 1_000n}`

export function openRepeats(): Repeats {
  // Replaced with every request: an old map, even if it was cleared, keeps its former content alive until a full garbage collection.
  let bySpanId = new Map<string, Event>()
  // The full keys of only those spans that share their span id with another.
  let keys = new Set<string>()
  let count = 0
  return {
    isRepeat(event) {
      const first = bySpanId.get(event.spanId)
      if (first === undefined) {
        bySpanId.set(event.spanId, event)
        return false
      }
      keys.add(keyOf(first))
      const key = keyOf(event)
      if (!keys.has(key)) {
        keys.add(key)
        return false
      }
      count++
      return true
    },
    count: () => count,
    clear() {
      bySpanId = new Map()
      keys = new Set()
      count = 0
    },
  }
}
