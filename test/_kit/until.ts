// Waits for a condition by polling, where there is no promise to await.

// Below the timeout of a test in ava. Only an operation that hangs takes this long.
const hangMs = 120_000
const shortestPauseMs = 2
const longestPauseMs = 200
/** Share of the time waited so far. Frequent polling would take CPU time from the operation that is waited for. */
const pauseShare = 0.1

/**
 * Resolves when the condition holds. Throws where it does not within `timeoutMs`, which only an operation that hangs should reach. A
 * condition that asks several processes may set a longer pause.
 */
export const until = async (
  holds: () => boolean | Promise<boolean>,
  timeoutMs = hangMs,
  longestMs = longestPauseMs,
): Promise<void> => await poll(holds, holds, { timeoutMs, longestMs })

/** Calls `find`, which may take long, until it does not return null, and returns what it found. Throws as `until` does. */
export async function untilFound<T>(find: () => Promise<T | null>): Promise<T> {
  const found: T[] = []
  const holds = async (): Promise<boolean> => {
    const one = await find()
    if (one !== null) found.push(one)
    return one !== null
  }
  await poll(holds, find, { timeoutMs: hangMs, longestMs: longestPauseMs })
  return found[0] as T
}

type Limits = { readonly timeoutMs: number; readonly longestMs: number }

/** `asked`: the function that the error shows. */
async function poll(
  holds: () => boolean | Promise<boolean>,
  asked: () => unknown,
  { timeoutMs, longestMs }: Limits,
): Promise<void> {
  const beganMs = performance.now()
  while (!(await holds())) {
    const waitedMs = performance.now() - beganMs
    if (waitedMs > timeoutMs) throw new Error(`this did not become true within ${timeoutMs} ms: ${String(asked)}`)
    const pauseMs = Math.min(longestMs, Math.max(shortestPauseMs, waitedMs * pauseShare))
    await new Promise((turn) => setTimeout(turn, pauseMs))
  }
}
