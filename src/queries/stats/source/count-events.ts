// Counts the events of what a pass reads.
import type { DigestConsumer } from '../../../rollups/digests.ts'
import type { Part } from '../../../rollups/read.ts'
import { counterAt } from '../../../sketches/counters.ts'
import { readEvents } from '../../../sketches/total-codec.ts'

export const eventsOfPart = (part: Part): number =>
  'bucket' in part ? (part.bucket.total.counters[counterAt.events] ?? 0) : readEvents(part.total)

/** Returns a consumer that also counts what it takes. */
export const counting = <Made>(
  { digest, take }: DigestConsumer<Made>,
  count: (made: Made) => void,
): DigestConsumer<Made> => ({
  digest,
  take(startMs, made, tier) {
    count(made)
    take(startMs, made, tier)
  },
})
