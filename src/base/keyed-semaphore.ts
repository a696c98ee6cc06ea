// A bound on how much of one kind of work runs at once under each key. A key without work takes no memory.
import type { Outage } from './fault.ts'
import { makeSemaphore, type Semaphore } from './semaphore.ts'

export type KeyedSemaphore = {
  /** As `run` of a semaphore, which counts only the work of this key. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Whether work under the key would have to wait. */
  isFull(key: string): boolean
  /** The number of waiting callers of all keys. */
  waiting(): number
}

/** Returns a semaphore that applies these limits to each key. */
export function makeKeyedSemaphore(
  concurrent: number,
  maxWaiting: number,
  maxWaitMs?: number,
  status?: Outage['status'],
): KeyedSemaphore {
  const byKey = new Map<string, { readonly semaphore: Semaphore; users: number }>()
  return {
    async run(key, work) {
      const own = byKey.get(key) ?? { semaphore: makeSemaphore(concurrent, maxWaiting, maxWaitMs, status), users: 0 }
      byKey.set(key, own)
      own.users += 1
      try {
        return await own.semaphore.run(work)
      } finally {
        own.users -= 1
        if (own.users === 0) byKey.delete(key)
      }
    },
    isFull: (key) => (byKey.get(key)?.users ?? 0) >= concurrent,
    waiting: () => [...byKey.values()].reduce((sum, { semaphore }) => sum + semaphore.waiting(), 0),
  }
}
