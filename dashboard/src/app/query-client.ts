// How answers are kept and when a failed question is asked again.
import { QueryClient } from '@tanstack/react-query'
import { ApiFault, isPassing } from '../api/fault.ts'

const maxRetries = 3
const maxWaitMs = 30_000

export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // A page that is shown again shows what it had, and asks anew after this.
        staleTime: 10_000,
        retry: (failures, error) => isPassing(error) && failures < maxRetries,
        retryDelay: chooseRetryDelayMs,
        refetchOnWindowFocus: false,
      },
    },
  })

/** What the service asked for, else doubling from a second; with some chance, so that tabs do not return together. */
export function chooseRetryDelayMs(failures: number, error: unknown): number {
  const askedMs = error instanceof ApiFault && error.retryAfterS !== null ? error.retryAfterS * 1_000 : null
  const waitMs = askedMs ?? Math.min(1_000 * 2 ** failures, maxWaitMs)
  return waitMs + Math.random() * 500
}
