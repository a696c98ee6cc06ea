// Reads fields in steps: first names for all dialects, then functions, then names and functions of single dialects.
import type { Kind } from '../event/event.ts'
import type { AttributeValue } from '../event/span.ts'
import { first, firstText, has } from './attribute.ts'
import type { OwnNames, TextStep, TextSteps } from './merge/merged.ts'
import { isOf, type SpanReading } from './span-reading.ts'

/** Returns the text of the first step that has one; null where none has. `kind`: null while it is not known. */
export function readText(reading: SpanReading, steps: TextSteps, kind: Kind | null): string | null {
  const { names } = steps
  const text = names === null ? null : firstText(reading.attributes, names)
  return text ?? readMore(reading, stepsBehindNames(reading, steps), kind)
}

/** Returns the steps behind the first names that may be used on a span. */
export const stepsBehindNames = ({ marked }: SpanReading, { more, moreForAll }: TextSteps): readonly TextStep[] =>
  marked.length === 0 ? moreForAll : more

function readMore(reading: SpanReading, steps: readonly TextStep[], kind: Kind | null): string | null {
  for (const { of, names, read } of steps) {
    if (of !== null && !isOf(reading, of)) continue
    const text = names === null ? read(reading, kind) : firstText(reading.attributes, names)
    if (text !== null) return text
  }
  return null
}

/** Returns the first present value under the names of single dialects, each read only on spans of its dialect. */
export function ownValue(reading: SpanReading, own: readonly OwnNames[]): AttributeValue | undefined {
  for (const { of, names } of own) {
    const value = isOf(reading, of) ? first(reading.attributes, names) : undefined
    if (value !== undefined) return value
  }
  return undefined
}

/** As `ownValue`, for a text. */
export function ownText(reading: SpanReading, own: readonly OwnNames[]): string | null {
  for (const { of, names } of own) {
    const text = isOf(reading, of) ? firstText(reading.attributes, names) : null
    if (text !== null) return text
  }
  return null
}

export const hasOwn = (reading: SpanReading, own: readonly OwnNames[]): boolean =>
  own.some(({ of, names }) => isOf(reading, of) && has(reading.attributes, names))

/** Whether the span is of any of these dialects. */
export const isOfAny = ({ marked }: SpanReading, dialects: readonly string[]): boolean =>
  marked.some((name) => dialects.includes(name))
