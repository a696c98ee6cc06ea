// Converts attributes to JSON, in the form in which they are shown.
import type { Attributes, AttributeValue } from '../event/span.ts'

/** Has a null prototype, so that a key such as `__proto__` is only data. */
type JsonObject = Record<string, unknown>

/** Returns plain data for JSON.stringify: integers beyond 2^53 become strings, bytes become base64. */
export function attributesToJson(attributes: Attributes): JsonObject {
  const object = Object.create(null) as JsonObject
  for (const [key, value] of attributes) object[key] = attributeToJson(value)
  return object
}

function attributeToJson(value: AttributeValue): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof Map) return attributesToJson(value)
  return Array.isArray(value) ? value.map(attributeToJson) : value
}
