// Finds spans that one request carries more than once.
import type { Event } from '../../event/event.ts'

export type Repeats = {
  /** Whether a span of the same key was asked about before. About 0.1 µs. */
  isRepeat(event: Event): boolean
  count(): number
  /** Before the next request. */
  clear(): void
}

/** The key that the database tells spans apart by; it keeps microseconds. */
const keyOf = ({ traceId, spanId, startTimeUnixNano }: Event): string =>
  `${traceId}${spanId}${startTimeUnixNano / 1_000n}`

export function openRepeats(): Repeats {
  // New with every request: a map that is old, emptied or not, keeps alive what it held until all of memory is collected.
  let bySpanId = new Map<string, Event>()
  // Whole keys, only of spans that share their span id with another.
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
