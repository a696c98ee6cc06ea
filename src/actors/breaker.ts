// Owners that hang: after three timeouts in a row nobody waits for one any more, but for a probe now and then. Pure.
import type { Clock } from './clock.ts'

export type Breaker = {
  /** False where the caller should go without the owner at once. True for one caller every 250 ms while it hangs. */
  allows(partition: number, epoch: number): boolean
  /** It answered, whatever it said. */
  succeed(partition: number, epoch: number): void
  timeOut(partition: number, epoch: number): void
  /** Partitions whose owner is not waited for. */
  open(): number
}

const timeoutsToOpen = 3
const probeEveryMs = 250

type Entry = { readonly epoch: number; timeouts: number; probedAtMs: number }

/** One entry for each partition at the epoch that failed last: a new owner begins with a clean slate. */
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
