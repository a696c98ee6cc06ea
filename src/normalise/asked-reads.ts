// Whether dialects have functions that are to be asked about a span: mostly not, found out with one look-up for all of them.
import { has } from './attribute.ts'
import type { ReadGroup } from './merge/merged.ts'
import { isOf, type SpanReading } from './span-reading.ts'

/** Whether any function of the group has something to read on this span. */
export const isAsked = ({ attributes, span, marked }: SpanReading, group: ReadGroup<unknown>): boolean =>
  group.isOnAll ||
  (group.isOnOwn && marked.length > 0) ||
  (group.isOnEvents && span.events.length > 0) ||
  (group.attributes !== null && has(attributes, group.attributes))

/** Whether a function may be asked that is for all spans, or for those of one dialect. */
export const isMine = (reading: SpanReading, of: string | null): boolean => of === null || isOf(reading, of)

/** Whether any function of the group says yes to this span. */
export const isAnyTrue = (reading: SpanReading, group: ReadGroup<(reading: SpanReading) => boolean>): boolean =>
  isAsked(reading, group) && group.reads.some(({ of, read }) => isMine(reading, of) && read(reading))

/** What the first function of the group says that has something to say of this span; null where none has. */
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
