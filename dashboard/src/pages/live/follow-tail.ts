// Follows the tail of a workspace by long polling until it is aborted. Each response contains the cursor of the next request.
import { ApiFault, isPassing } from '../../api/fault.ts'

export type TailAnswer<R> = { readonly items: readonly R[]; readonly next_cursor: string; readonly skipped: number }

type Deps<R> = {
  readonly read: (cursor: string | null, signal: AbortSignal) => Promise<TailAnswer<R>>
  /** The first response has no rows: it sets the start of the stream. */
  readonly onAnswer: (answer: TailAnswer<R>) => void
  /** The service no longer knows the cursor. The next response sets a new start; spans that arrived in between are in no response. */
  readonly onLost: () => void
  /** Null: requests succeed again. */
  readonly onFault: (fault: unknown) => void
  readonly sleep: (ms: number) => Promise<void>
}

const firstWaitMs = 1_000
const maxWaitMs = 30_000

/** Resolves when `signal` is aborted, or after an error that a retry cannot cure. `onFault` receives the error before. */
export async function followTail<R>(
  { read, onAnswer, onLost, onFault, sleep }: Deps<R>,
  signal: AbortSignal,
): Promise<void> {
  let cursor: string | null = null
  let failures = 0
  while (!signal.aborted) {
    try {
      const answer: TailAnswer<R> = await read(cursor, signal)
      cursor = answer.next_cursor
      if (failures > 0) onFault(null)
      failures = 0
      onAnswer(answer)
    } catch (error) {
      if (signal.aborted) return
      onFault(error)
      // The cursor was lost in a failover: the stream continues from now.
      const isLost = cursor !== null && error instanceof ApiFault && error.status === 422
      if (isLost) {
        cursor = null
        onLost()
      } else if (!isPassing(error)) return
      await sleep(chooseWaitMs(failures, error))
      failures += 1
    }
  }
}

function chooseWaitMs(failures: number, error: unknown): number {
  const askedS = error instanceof ApiFault ? error.retryAfterS : null
  return askedS === null ? Math.min(maxWaitMs, firstWaitMs * 2 ** failures) : askedS * 1_000
}
