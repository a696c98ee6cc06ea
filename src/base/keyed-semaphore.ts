// A bound on how much of one kind of work runs at once under each key. A key without work takes no memory.
import { Outage } from './fault.ts'

export type KeyedSemaphore = {
  /**
   * Runs the work when there is a free slot under its key, or under each of its keys at the same moment. Under one key, callers begin in the
   * order of arrival, except that those that wait for another key are passed over: a caller that waits takes no slot and delays nobody.
   * Throws Outage at once if too many callers wait under one of the keys, or after the longest wait.
   */
  run<T>(keys: string | readonly string[], work: () => Promise<T>): Promise<T>
  /** Whether work under the key, or under these keys, would have to wait. */
  isFull(keys: string | readonly string[]): boolean
  /** The number of waiting callers of all keys. */
  waiting(): number
}

type Caller = { readonly keys: readonly string[]; readonly nth: number; readonly begin: () => void }
/** `waiting`: in the order of arrival. */
type Slots = { running: number; readonly waiting: Set<Caller> }

/**
 * Runs at most `concurrent` callers of a key at once and lets at most `maxWaiting` wait, each for at most `maxWaitMs` (undefined: without
 * limit). `status` is the status of the Outage.
 */
export function makeKeyedSemaphore(
  concurrent: number,
  maxWaiting: number,
  maxWaitMs?: number,
  status: Outage['status'] = 503,
): KeyedSemaphore {
  const byKey = new Map<string, Slots>()
  let waiting = 0
  let arrived = 0

  function slotsOf(key: string): Slots {
    const known = byKey.get(key)
    if (known !== undefined) return known
    const slots: Slots = { running: 0, waiting: new Set() }
    byKey.set(key, slots)
    return slots
  }

  function dropIfIdle(key: string, slots: Slots): void {
    if (slots.running === 0 && slots.waiting.size === 0) byKey.delete(key)
  }

  const isFree = (keys: readonly string[]): boolean => keys.every((key) => (byKey.get(key)?.running ?? 0) < concurrent)

  function begin(keys: readonly string[]): void {
    for (const key of keys) slotsOf(key).running += 1
  }

  function stopWaiting(caller: Caller): void {
    waiting -= 1
    for (const key of caller.keys) {
      const slots = slotsOf(key)
      slots.waiting.delete(caller)
      dropIfIdle(key, slots)
    }
  }

  async function enter(keys: readonly string[]): Promise<void> {
    if (isFree(keys)) return begin(keys)
    if (keys.some((key) => (byKey.get(key)?.waiting.size ?? 0) >= maxWaiting))
      throw new Outage('limit', 'too many callers are waiting', { status })
    await new Promise<void>((done, fail) => {
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs)
      arrived += 1
      const caller: Caller = {
        keys,
        nth: arrived,
        begin() {
          clearTimeout(timer)
          begin(keys)
          stopWaiting(caller)
          done()
        },
      }
      waiting += 1
      for (const key of keys) slotsOf(key).waiting.add(caller)
      function giveUp(): void {
        stopWaiting(caller)
        fail(new Outage('limit', 'no slot became free in time', { status }))
      }
    })
  }

  /** Returns the caller that came first of those that wait under one of the keys and can begin. */
  function findNext(keys: readonly string[]): Caller | undefined {
    const firsts = keys.flatMap((key) => {
      const { running, waiting: queue } = slotsOf(key)
      return running < concurrent ? (queue.values().find((caller) => isFree(caller.keys)) ?? []) : []
    })
    return firsts.toSorted((one, other) => one.nth - other.nth)[0]
  }

  function leave(keys: readonly string[]): void {
    for (const key of keys) slotsOf(key).running -= 1
    for (let next = findNext(keys); next !== undefined; next = findNext(keys)) next.begin()
    for (const key of keys) dropIfIdle(key, slotsOf(key))
  }

  return {
    async run(given, work) {
      const keys = listKeys(given)
      await enter(keys)
      try {
        return await work()
      } finally {
        leave(keys)
      }
    },
    isFull: (keys) => !isFree(listKeys(keys)),
    waiting: () => waiting,
  }
}

const listKeys = (keys: string | readonly string[]): readonly string[] => (typeof keys === 'string' ? [keys] : keys)
