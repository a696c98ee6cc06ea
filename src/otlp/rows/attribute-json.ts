// Attributes as JSON, as they are stored and shown.
import type { Attributes, AttributeValue } from '../span.ts'

/** Null prototype: a key such as `__proto__` is only data. */
type JsonObject = Record<string, unknown>

/** Plain data for JSON.stringify: integers beyond 2^53 become strings, bytes base64. */
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
