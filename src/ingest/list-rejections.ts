// The rejections of a request by their reasons, as they are recorded.

import type { RejectionTally } from '../otlp/intake/rejection-tally.ts'
import type { RejectReason } from '../otlp/reject.ts'
import type { Batch } from './batch.ts'

/** One entry a reason. The examples are bounded, so that a late reason may have none of its own. */
export function listRejections(tally: RejectionTally): Batch['rejections'] {
  return Object.entries(tally.counts).map(([name, count]) => {
    const reason = name as RejectReason
    return { reason, count, example: tally.examples.find((example) => example.reason === reason)?.detail ?? reason }
  })
}
