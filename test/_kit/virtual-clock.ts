// Time that passes when a test says so: timers run in order, and what they set going settles before the next one.
import type { Clock } from '../../src/actors/clock.ts'

export type VirtualClock = Clock & {
  /** Lets so much time pass. */
  advance(ms: number): Promise<void>
  /** Lets what is due now happen, and what follows from it at once. */
  settle(): Promise<void>
}

type Timer = { readonly atMs: number; readonly order: number; readonly run: () => void }

/** `idle`: true where nothing is under way outside of this process, such as a query. */
export function makeVirtualClock(idle: () => boolean = () => true): VirtualClock {
  const timers = new Set<Timer>()
  let nowMs = 1_000_000
  let count = 0

  const turn = async (): Promise<void> => {
    do await new Promise((done) => setImmediate(done))
    while (!idle())
  }

  function takeDue(untilMs: number): Timer | null {
    let first: Timer | null = null
    for (const timer of timers) {
      if (timer.atMs > untilMs) continue
      if (first === null || timer.atMs < first.atMs || (timer.atMs === first.atMs && timer.order < first.order))
        first = timer
    }
    if (first !== null) timers.delete(first)
    return first
  }

  async function advance(ms: number): Promise<void> {
    const endMs = nowMs + ms
    await turn()
    for (let timer = takeDue(endMs); timer !== null; timer = takeDue(endMs)) {
      nowMs = Math.max(nowMs, timer.atMs)
      timer.run()
      await turn()
    }
    nowMs = endMs
  }

  return {
    nowMs: () => nowMs,
    after(delayMs, run) {
      count += 1
      const timer = { atMs: nowMs + Math.max(0, delayMs), order: count, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance,
    settle: () => advance(0),
  }
}
