// A bound on how much of one kind of work runs at once, on how much of it waits, and on how long it waits.
import type { Outage } from './fault.ts'
import { makeKeyedSemaphore } from './keyed-semaphore.ts'

export type Semaphore = {
  /** Runs the work when a slot is free, in order of arrival. Throws Outage at once where too many callers wait, or after `maxWaitMs`. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Callers that wait for a slot. */
  waiting(): number
}

/**
 * Runs at most `concurrent` callers at once and lets at most `maxWaiting` wait, each for at most `maxWaitMs` (undefined: without limit).
 * `status` is the status of the Outage: 429 where all calls come from one client, which causes the overload itself.
 */
export function makeSemaphore(
  concurrent: number,
  maxWaiting: number,
  maxWaitMs?: number,
  status?: Outage['status'],
): Semaphore {
  const { run, waiting } = makeKeyedSemaphore(concurrent, maxWaiting, maxWaitMs, status)
  return { run: async (work) => await run(onlyKey, work), waiting }
}

const onlyKey = ''
