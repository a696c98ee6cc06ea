// A loop of passes over some work: one pass at a time, one at each tick, and one after each request.

export type PassLoop = {
  /** Starts a pass, and resolves when a pass that began after this call has ended. Never throws. */
  readonly pass: () => Promise<void>
  /** Aborts `stopping`, and resolves after the current pass. */
  readonly stop: () => Promise<void>
}

export type PassLoopOptions = {
  readonly tickMs: number
  /** Its signal tells the pass to end early. */
  readonly stopping: AbortController
  readonly run: () => Promise<void>
  /** Called with what a pass throws. The next pass is due all the same. */
  readonly onError: (error: unknown) => void
}

/** Starts with a pass. The timer does not keep the process alive. */
export function openPassLoop({ tickMs, stopping, run, onError }: PassLoopOptions): PassLoop {
  let again = false
  let running: Promise<void> | null = null

  async function runDue(): Promise<void> {
    try {
      do {
        again = false
        await run().catch(onError)
      } while (again && !stopping.signal.aborted)
    } finally {
      // Reset in the same turn as the last check of `again`: otherwise, a call in between would wait for a run that does not see it.
      running = null
    }
  }

  async function pass(): Promise<void> {
    if (stopping.signal.aborted) return
    again = true
    running ??= runDue()
    await running
  }

  const timer = setInterval(() => void pass(), tickMs)
  timer.unref()
  void pass()
  return {
    pass,
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await running
    },
  }
}
