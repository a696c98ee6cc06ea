// Waits for work up to a time limit, and lets the work continue after it.

/** The result of work that did not finish in time. */
export const late = Symbol('late')

/**
 * Returns or throws what the work does, or returns `late` after `timeoutMs`. An error that late work throws is ignored here. When the timer
 * fires after the process was blocked, pending I/O is handled before `late` is returned: a result that arrived meanwhile is not late.
 */
export async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T | typeof late> {
  const deadline = Promise.withResolvers<typeof late>()
  const timer = setTimeout(() => setImmediate(deadline.resolve, late), Math.max(timeoutMs, 0))
  try {
    return await Promise.race([work, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}

const steps = 20

/**
 * Like `withTimeout`, for work of several round trips: time in which this process did not run, as while its machine was paused, does not
 * count. The limit is counted in 20 steps, and a pause ends one of them, however long it was. Cost: 20 timers per limit.
 */
export async function withRunningTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T | typeof late> {
  const deadline = Promise.withResolvers<typeof late>()
  let left = steps
  const timer = setInterval(() => {
    left -= 1
    if (left === 0) setImmediate(deadline.resolve, late)
  }, timeoutMs / steps)
  try {
    return await Promise.race([work, deadline.promise])
  } finally {
    clearInterval(timer)
  }
}
