// What a dialect's own functions see of the span that is being read.
import type { Flag } from '../event/flag.ts'
import type { Names } from '../otlp/names.ts'
import type { Attributes, Span } from '../otlp/span.ts'
import type { JsonObject } from './json.ts'

export type SpanReading = {
  readonly span: Span
  readonly attributes: Attributes
  readonly resource: Attributes
  readonly flags: Set<Flag>
  /** The dialects with names of their own whose marks the span bears: mostly none. */
  readonly marked: readonly string[]
  /** The JSON object in the first of these attributes that is there, as text or as a map; null where there is none. Parsed once a span. */
  readonly object: (names: Names) => JsonObject | null
}

/** Whether the span bears the marks of this dialect, which must have names of its own. */
export const isOf = ({ marked }: SpanReading, dialect: string): boolean => marked.includes(dialect)
