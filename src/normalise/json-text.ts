// Floor 1. The attributes of a sender that writes every value as JSON text, texts in quotes.
import type { Flag } from '../event/flag.ts'
import type { Attributes, AttributeValue } from '../otlp/span.ts'
import { among } from './attribute.ts'
import { parseJson } from './json.ts'

function unquoted(value: AttributeValue | undefined, flags: Set<Flag>): AttributeValue | undefined {
  if (typeof value !== 'string') return value
  if (value === 'null') return null
  if (!value.startsWith('"')) return value
  const text = parseJson(value, flags)
  return typeof text === 'string' ? text : value
}

/** The same attributes with texts without their quotes, and no value for null. Objects and lists stay JSON text, as other senders write them. */
export const withoutQuotes = (attributes: Attributes, flags: Set<Flag>): Attributes => ({
  size: attributes.size,
  get: (key) => unquoted(attributes.get(key), flags),
  has: (key) => attributes.has(key),
  among: (names) => among(attributes, names),
  *[Symbol.iterator]() {
    for (const [key, value] of attributes) yield [key, unquoted(value, flags) ?? null]
  },
})
