// Follows the tail of a workspace by long-poll until it is aborted: each answer names the place at which the next one begins.
import { ApiFault, isPassing } from '../../api/fault.ts'

export type TailAnswer<R> = { readonly items: readonly R[]; readonly next_cursor: string; readonly skipped: number }

type Deps<R> = {
  readonly read: (cursor: string | null, signal: AbortSignal) => Promise<TailAnswer<R>>
  /** The first answer has no rows: it says where the stream begins. */
  readonly onAnswer: (answer: TailAnswer<R>) => void
  /** The service has lost the place: the next answer says where the stream begins anew, and what came between is in none. */
  readonly onLost: () => void
  /** Null: it works again. */
  readonly onFault: (fault: unknown) => void
  readonly sleep: (ms: number) => Promise<void>
}

const firstWaitMs = 1_000
const maxWaitMs = 30_000

/** Resolves when it is aborted, or with a fault that another try would not cure, which `onFault` has then. */
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
      // By a failover: it goes on from now.
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
