// Opens a span for reading: its attributes, the JSON inside them (parsed once), and the dialects whose marks it bears.

import type { Names } from '../event/names.ts'
import type { Span } from '../event/span.ts'
import { first, has, toPlain } from './attribute.ts'
import { isObject, type JsonObject, parseStructure } from './json.ts'
import type { MergedDialects } from './merge/merged.ts'
import type { SpanReading } from './span-reading.ts'

export type Reading = SpanReading & {
  /** The names and functions of all dialects, merged by field. */
  readonly dialects: MergedDialects
}

/** Opens a span for reading. Cost: a few comparisons and two look-ups. JSON is parsed on demand. */
export function openReading(span: Span, dialects: MergedDialects): Reading {
  const { flags } = span
  let { attributes } = span
  let viewed: string[] | undefined
  for (const { of, marks, view } of dialects.views) {
    if (!has(attributes, marks)) continue
    attributes = view(attributes, flags)
    viewed = [...(viewed ?? []), of]
  }
  const marked = dialects.recognise(span, attributes)
  let parsed: Map<Names, JsonObject | null> | undefined
  return {
    span,
    attributes,
    resource: span.resource.attributes,
    flags,
    marked: viewed === undefined ? marked : [...viewed, ...marked],
    dialects,
    object(names) {
      const value = first(attributes, names)
      if (value === undefined || value === null) return null
      parsed ??= new Map()
      const known = parsed.get(names)
      if (known !== undefined) return known
      const plain = typeof value === 'string' ? parseStructure(value, flags) : toPlain(value, flags)
      const found = isObject(plain) ? plain : null
      parsed.set(names, found)
      return found
    },
  }
}
