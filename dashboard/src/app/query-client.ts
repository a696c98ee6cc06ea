// How long responses are cached and when a failed query is retried.
import { QueryClient } from '@tanstack/react-query'
import { ApiFault, isPassing, isTimeout } from '../api/fault.ts'

const maxRetries = 3
const maxWaitMs = 30_000

export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // A page that is shown again shows its cached data, and refetches data that is older than this.
        staleTime: 10_000,
        // Nobody waits for several timeouts before a failure is told.
        retry: (failures, error) => isPassing(error) && !isTimeout(error) && failures < maxRetries,
        retryDelay: chooseRetryDelayMs,
        refetchOnWindowFocus: false,
      },
      // A change that is made without a network fails at once. It would otherwise wait, and be made by surprise when the network is back,
      // even if its dialog or page was left.
      mutations: { networkMode: 'always' },
    },
  })

/**
 * Returns the delay before a retry: what the service asked for in Retry-After, or else 1 s that doubles up to 30 s. Up to 0.5 s are added
 * at random, so that tabs do not retry at the same time.
 */
export function chooseRetryDelayMs(failures: number, error: unknown): number {
  const askedMs = error instanceof ApiFault && error.retryAfterS !== null ? error.retryAfterS * 1_000 : null
  const waitMs = askedMs ?? Math.min(1_000 * 2 ** failures, maxWaitMs)
  return waitMs + Math.random() * 500
}
