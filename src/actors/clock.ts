// The time by which ownership is judged: monotonic, local to the process, and in tests not the real one.

export type Clock = {
  /** Milliseconds since some moment; never goes back. Tells nothing about another process's clock. */
  nowMs(): number
  /** Runs it once, later; gives back what prevents it. Keeps no process alive. */
  after(delayMs: number, run: () => void): () => void
}

export const monotonicClock: Clock = {
  nowMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
