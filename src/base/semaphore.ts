// Floor 0. A bound on how much of one kind of work runs at once, and on how much waits for it.
import { Outage } from './fault.ts'

export type Semaphore = {
  /** Runs the work when a slot is free, first come first served. Throws Outage at once where too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** Runs at most `concurrent` at once and lets at most `maxWaiting` wait. */
export function makeSemaphore(concurrent: number, maxWaiting: number): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < concurrent) {
      running += 1
      return
    }
    if (waiting.length >= maxWaiting) throw new Outage('too many callers wait for the same work')
    // Whoever leaves hands its slot on, so `running` stays as it is.
    await new Promise<void>((done) => waiting.push(done))
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
  }
}
