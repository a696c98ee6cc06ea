// A clock whose time passes only when a test advances it. Timers run in order,
// and the work that a timer starts settles before the next one runs.
import type { Clock } from '../../src/actors/clock.ts'

export type VirtualClock = Clock & {
  /** Advances the time by `ms`. */
  advance(ms: number): Promise<void>
  /** Runs what is due now, and what immediately follows from it. */
  settle(): Promise<void>
}

type Timer = { readonly atMs: number; readonly order: number; readonly run: () => void }

/** `idle`: returns true where no work outside of this process, such as a query, is in progress. */
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
