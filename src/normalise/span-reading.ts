// The view of a span that the functions of dialects receive.
import type { Flag } from '../event/flag.ts'
import type { Names } from '../event/names.ts'
import type { AttributeMap, Attributes, Span } from '../event/span.ts'
import type { JsonObject } from './json.ts'

export type SpanReading = {
  readonly span: Span
  readonly attributes: Attributes
  readonly resource: Attributes
  readonly flags: Set<Flag>
  /** The dialects whose marks the span bears, among those that treat their own spans differently. For most spans there are none. */
  readonly marked: readonly string[]
  /** Returns the object in the first of these attributes that is present, as JSON text or as a map; null where none. Parsed once a span. */
  readonly object: (names: Names) => JsonObject | null
}

/** Returns the attributes of the first event of the span that has one of these names. */
export const findEvent = ({ span }: SpanReading, names: readonly string[]): AttributeMap | undefined =>
  span.events.find((event) => names.includes(event.name))?.attributes

/** Whether the span bears the marks of this dialect, which must be one that treats its own spans differently. */
export const isOf = ({ marked }: SpanReading, dialect: string): boolean => marked.includes(dialect)
