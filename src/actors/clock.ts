// The clock for decisions about ownership: monotonic, local to the process, and replaced in tests.

export type Clock = {
  /** Milliseconds since an arbitrary moment; never decreases. Not comparable with the clock of another process. */
  nowMs(): number
  /** Calls `run` once after the delay; the returned function cancels it. Does not keep the process alive. */
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
