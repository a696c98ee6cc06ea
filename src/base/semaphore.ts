// Floor 0. A bound on how much of one kind of work runs at once, and on how much waits for it.
import { Outage } from './fault.ts'

export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most `slots` at once and lets at most `queue` wait, first come first served; beyond that an Outage. */
export function makeSemaphore(slots: number, queue: number, full: string): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < slots) {
      running += 1
      return
    }
    if (waiting.length >= queue) throw new Outage(full)
    // Whoever leaves hands its slot on, so `running` stays as it is.
    await new Promise<void>((done) => waiting.push(done))
  }

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
