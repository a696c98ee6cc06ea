// Calls the functions of dialects on a span. Most spans need none of them, which one look-up for all dialects shows.
import { has } from './attribute.ts'
import type { ReadGroup } from './merge/merged.ts'
import { isOf, type SpanReading } from './span-reading.ts'

/** Whether any function of the group has something to read on this span. */
export const isAsked = ({ attributes, span, marked }: SpanReading, group: ReadGroup<unknown>): boolean =>
  group.isOnAll ||
  (group.isOnOwn && marked.length > 0) ||
  (group.isOnEvents && span.events.length > 0) ||
  (group.attributes !== null && has(attributes, group.attributes))

/** Whether a function may be called on this span. `of`: the only dialect that it is for; null for a function for all spans. */
export const isMine = (reading: SpanReading, of: string | null): boolean => of === null || isOf(reading, of)

/** Whether any function of the group returns true for this span. */
export const isAnyTrue = <Known extends readonly unknown[]>(
  reading: SpanReading,
  group: ReadGroup<(reading: SpanReading, ...known: Known) => boolean>,
  ...known: Known
): boolean =>
  isAsked(reading, group) && group.reads.some(({ of, read }) => isMine(reading, of) && read(reading, ...known))

/** Returns the first result of the group's functions that is not null; null where there is none. */
export function firstAnswer<Answer, Known extends readonly unknown[]>(
  reading: SpanReading,
  group: ReadGroup<(reading: SpanReading, ...known: Known) => Answer | null>,
  ...known: Known
): Answer | null {
  if (!isAsked(reading, group)) return null
  for (const { of, read } of group.reads) {
    const answer = isMine(reading, of) ? read(reading, ...known) : null
    if (answer !== null) return answer
  }
  return null
}
