// Callers that wait until a key is woken: parked long polls. No code runs for them while they wait.

/** `full`: the limit on waits is reached, and the caller should continue without waiting. */
export type WaitEnd = 'woken' | 'timeout' | 'aborted' | 'full'

export type KeyedWaiters = {
  /** Waits until the key is woken. Never rejects. Costs one timer and one abort listener, which are removed however the wait ends. */
  wait(key: string, signal: AbortSignal, timeoutMs: number): Promise<WaitEnd>
  /** Ends every wait on the key. */
  wake(key: string): void
  wakeAll(): void
  /** Ends all waits as aborted; later ones end at once. */
  stop(): void
  readonly has: (key: string) => boolean
  readonly count: () => number
}

/** One key may have at most `maxPerKey` of the `maxWaiting` waits, so that no key uses them all. */
export function makeKeyedWaiters(limits: { readonly maxWaiting: number; readonly maxPerKey: number }): KeyedWaiters {
  const waiters = new Map<string, Set<(end: WaitEnd) => void>>()
  let count = 0
  let stopped = false

  function park(key: string, signal: AbortSignal, timeoutMs: number): Promise<WaitEnd> {
    return new Promise<WaitEnd>((resolve) => {
      const finish = (end: WaitEnd): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        const others = waiters.get(key)
        if (others?.delete(finish) === true) count -= 1
        if (others?.size === 0) waiters.delete(key)
        resolve(end)
      }
      const abort = (): void => finish('aborted')
      const timer = setTimeout(finish, timeoutMs, 'timeout')
      signal.addEventListener('abort', abort)
      const others = waiters.get(key) ?? new Set()
      waiters.set(key, others.add(finish))
      count += 1
    })
  }

  return {
    wait(key, signal, timeoutMs) {
      if (stopped || signal.aborted) return Promise.resolve('aborted')
      if (timeoutMs <= 0) return Promise.resolve('timeout')
      const isFull = count >= limits.maxWaiting || (waiters.get(key)?.size ?? 0) >= limits.maxPerKey
      return isFull ? Promise.resolve('full') : park(key, signal, timeoutMs)
    },
    wake(key) {
      for (const finish of waiters.get(key) ?? []) finish('woken')
    },
    wakeAll() {
      for (const others of waiters.values()) for (const finish of others) finish('woken')
    },
    stop() {
      stopped = true
      for (const others of waiters.values()) for (const finish of others) finish('aborted')
    },
    has: (key) => waiters.has(key),
    count: () => count,
  }
}
