// Waits for a time, or until a signal aborts.
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Resolves after `ms`, or as soon as the signal aborts: the caller checks the signal. Never throws. With `ref: false` the timer does not
 * keep the process alive.
 */
export async function pause(ms: number, signal: AbortSignal, options: { readonly ref?: boolean } = {}): Promise<void> {
  // The only reason of a rejection is the signal.
  await sleep(ms, undefined, { ...options, signal }).catch(() => undefined)
}
