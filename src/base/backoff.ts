// Things whose work failed are retried at growing intervals, without delaying the others.

export type Backoff = {
  /** Whether the next attempt of the key is not due yet. */
  isWaiting(key: string, nowMs: number): boolean
  /** The keys whose next attempt is not due yet. */
  listWaiting(nowMs: number): string[]
  /** Records another failure, and returns when the next attempt is due. The delay doubles with each failure. */
  fail(key: string, nowMs: number): number
  /** Forgets the failures of the key. */
  succeed(key: string): void
}

export type BackoffOptions = {
  readonly firstDelayMs: number
  readonly maxDelayMs: number
  /** Beyond this number the key that failed longest ago is dropped: it is retried at once, and may fail again. */
  readonly maxKeys: number
}

export function makeBackoff({ firstDelayMs, maxDelayMs, maxKeys }: BackoffOptions): Backoff {
  // In the order of the last failure.
  const entries = new Map<string, { readonly untilMs: number; readonly delayMs: number }>()
  return {
    isWaiting: (key, nowMs) => (entries.get(key)?.untilMs ?? Number.NEGATIVE_INFINITY) > nowMs,
    listWaiting: (nowMs) => [...entries].filter(([, { untilMs }]) => untilMs > nowMs).map(([key]) => key),
    fail(key, nowMs) {
      const delayMs = Math.min(maxDelayMs, (entries.get(key)?.delayMs ?? firstDelayMs / 2) * 2)
      const untilMs = nowMs + delayMs
      entries.delete(key)
      entries.set(key, { untilMs, delayMs })
      const oldest = entries.keys().next().value
      if (entries.size > maxKeys && oldest !== undefined) entries.delete(oldest)
      return untilMs
    },
    succeed: (key) => void entries.delete(key),
  }
}
