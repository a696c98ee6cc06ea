// Stops what the test command has started, as far as possible, whatever fails.

export type Stoppable = {
  /** What it is, for a message. */
  readonly what: string
  /** A server, which must not outlive the run; a folder or a database that stays is removed by a later run or by hand. */
  readonly isServer: boolean
  readonly stop: () => Promise<void>
}

// Servers end after at most 12 s, forced.
const deadlineMs = 120_000

/** Stops all, the last one first, and reports failures. Returns whether a server may still be running. Never rejects. */
export async function stopAll(started: readonly Stoppable[], onFailure: (line: string) => void): Promise<boolean> {
  let isLeft = false
  for (const { what, isServer, stop } of started.toReversed()) {
    const fault = await stopOne(stop)
    if (fault === null) continue
    onFailure(`${what} could not be ${isServer ? 'stopped' : 'removed'}: ${fault}`)
    isLeft ||= isServer
  }
  return isLeft
}

/** Returns why it failed; null where it did not. */
async function stopOne(stop: () => Promise<void>): Promise<string | null> {
  const { promise: late, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(() => resolve(`it has not ended after ${deadlineMs / 1_000} s`), deadlineMs)
  const stopped = stop().then(
    () => null,
    (error: unknown) => String(error),
  )
  try {
    return await Promise.race([stopped, late])
  } finally {
    clearTimeout(timer)
  }
}
