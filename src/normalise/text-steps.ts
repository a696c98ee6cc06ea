// Reading what dialects tell in steps: names that all of them share, functions between, and names of one dialect alone.
import type { Kind } from '../event/event.ts'
import type { AttributeValue } from '../otlp/span.ts'
import { first, firstText, has } from './attribute.ts'
import type { OwnNames, TextStep, TextSteps } from './merge/merged.ts'
import { isOf, type SpanReading } from './span-reading.ts'

/** The text of the first step that gives one. `kind`: null as long as it is not known. */
export function readText(reading: SpanReading, { names, more }: TextSteps, kind: Kind | null): string | null {
  const text = names === null ? null : firstText(reading.attributes, names)
  return text === null && more.length > 0 ? readMore(reading, more, kind) : text
}

function readMore(reading: SpanReading, steps: readonly TextStep[], kind: Kind | null): string | null {
  for (const { of, names, read } of steps) {
    if (of !== null && !isOf(reading, of)) continue
    const text = names === null ? read(reading, kind) : firstText(reading.attributes, names)
    if (text !== null) return text
  }
  return null
}

/** The value under the first name of a dialect's own that is there, on a span of that dialect. */
export function ownValue(reading: SpanReading, own: readonly OwnNames[]): AttributeValue | undefined {
  for (const { of, names } of own) {
    const value = isOf(reading, of) ? first(reading.attributes, names) : undefined
    if (value !== undefined) return value
  }
  return undefined
}

/** As `ownValue`, of a text. */
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
