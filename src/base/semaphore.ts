// A bound on how much of one kind of work runs at once, on how much of it waits, and on how long it waits.
import { Outage } from './fault.ts'

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
  status: Outage['status'] = 503,
): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < concurrent) {
      running += 1
      return
    }
    if (waiting.length >= maxWaiting) throw new Outage('limit', 'too many callers are waiting', { status })
    // The caller that leaves passes its slot on, so `running` stays as it is.
    await new Promise<void>((done, fail) => {
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs)
      waiting.push(begin)
      function begin(): void {
        clearTimeout(timer)
        done()
      }
      function giveUp(): void {
        waiting.splice(waiting.indexOf(begin), 1)
        fail(new Outage('limit', 'no slot became free in time', { status }))
      }
    })
  }

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return {
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
    waiting: () => waiting.length,
  }
}
