// Counts the rejected spans of a request by reason, in bounded memory. Plain data that can be passed between threads.
import type { Rejection, RejectReason } from '../reject.ts'

export type RejectionTally = {
  readonly counts: Partial<Record<RejectReason, number>>
  /** The first distinct rejections, at most ten. */
  readonly examples: Rejection[]
  total: number
}

const maxExamples = 10

export const openTally = (): RejectionTally => ({ counts: {}, examples: [], total: 0 })

/** Adds `count` spans that were rejected with the same reason and detail. */
export function countRejection(tally: RejectionTally, rejection: Rejection, count = 1): void {
  const { reason, detail } = rejection
  tally.counts[reason] = (tally.counts[reason] ?? 0) + count
  tally.total += count
  if (tally.examples.length >= maxExamples) return
  if (tally.examples.some((example) => example.reason === reason && example.detail === detail)) return
  tally.examples.push(rejection)
}
