// Callers that wait for news of a key: parked long-polls. Nothing runs for them while they wait.

/** `full`: there was no room to wait, and the caller should do without. */
export type WaitEnd = 'woken' | 'timeout' | 'aborted' | 'full'

export type KeyedWaiters = {
  /** Never rejects; leaves nothing behind however it ends. Costs one timer and one abort listener while it lasts. */
  wait(key: string, signal: AbortSignal, timeoutMs: number): Promise<WaitEnd>
  /** Ends every wait on the key. */
  wake(key: string): void
  wakeAll(): void
  /** Ends all waits as aborted; later ones end at once. */
  stop(): void
  readonly has: (key: string) => boolean
  readonly count: () => number
}

/** One key may hold at most `maxPerKey` of the `maxWaiting` places, so that no key takes them all. */
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
