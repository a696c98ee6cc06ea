// Converts the rejection tally of a request to the list of rejections that is recorded.

import type { RejectionTally } from '../otlp/intake/rejection-tally.ts'
import type { RejectReason } from '../otlp/reject.ts'
import type { Batch } from './batch.ts'

/** Returns one entry per reason. The number of examples is limited, so a reason without one gets its own name as the example. */
export function listRejections(tally: RejectionTally): Batch['rejections'] {
  return Object.entries(tally.counts).map(([name, count]) => {
    const reason = name as RejectReason
    return { reason, count, example: tally.examples.find((example) => example.reason === reason)?.detail ?? reason }
  })
}
