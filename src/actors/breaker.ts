// A circuit breaker for owners that hang: after three timeouts in a row requests skip the owner, except for occasional probes. Pure.
import type { Clock } from './clock.ts'

export type Breaker = {
  /** False if the caller should go without the owner. While the owner hangs, returns true to one caller every 250 ms. */
  allows(partition: number, epoch: number): boolean
  /** The owner answered, with success or with a failure code. */
  succeed(partition: number, epoch: number): void
  timeOut(partition: number, epoch: number): void
  /** Number of partitions whose owner is skipped. */
  open(): number
}

const timeoutsToOpen = 3
const probeEveryMs = 250

type Entry = { readonly epoch: number; timeouts: number; probedAtMs: number }

/** Keeps one entry per partition, for the epoch that failed last. A new owner starts without failures. */
export function makeBreaker({ nowMs }: Pick<Clock, 'nowMs'>): Breaker {
  const entries = new Map<number, Entry>()
  const isOpen = (entry: Entry): boolean => entry.timeouts >= timeoutsToOpen

  return {
    allows(partition, epoch) {
      const entry = entries.get(partition)
      if (entry === undefined || entry.epoch > epoch || !isOpen(entry)) return true
      if (entry.epoch < epoch) {
        entries.delete(partition)
        return true
      }
      if (nowMs() - entry.probedAtMs < probeEveryMs) return false
      entry.probedAtMs = nowMs()
      return true
    },
    succeed(partition, epoch) {
      if (entries.get(partition)?.epoch === epoch) entries.delete(partition)
    },
    timeOut(partition, epoch) {
      const known = entries.get(partition)
      if (known !== undefined && known.epoch > epoch) return
      const entry = known?.epoch === epoch ? known : { epoch, timeouts: 0, probedAtMs: 0 }
      entry.timeouts += 1
      entry.probedAtMs = nowMs()
      entries.set(partition, entry)
    },
    open: () => [...entries.values()].filter(isOpen).length,
  }
}
