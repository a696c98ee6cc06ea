// Waiting for work no longer than is good for the caller, while the work goes on.

/** Stands for what did not come in time. */
export const late = Symbol('late')

/**
 * What the work gives or throws, or `late` where that takes longer; what late work throws is lost on this caller. What came while this
 * process could not run is read first: it was not late.
 */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T | typeof late> {
  const deadline = Promise.withResolvers<typeof late>()
  const timer = setTimeout(() => setImmediate(deadline.resolve, late), Math.max(timeoutMs, 0))
  try {
    return await Promise.race([work, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}
