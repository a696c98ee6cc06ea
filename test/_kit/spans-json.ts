// Converts a message in protobufjs' shape to OTLP/JSON: ids in hex, other bytes in base64, non-finite doubles as text.

const idKeys = new Set(['traceId', 'spanId', 'parentSpanId'])

/** Returns a value for JSON.stringify. `key`: the field that contains the value, since only ids are in hex. */
export function toOtlpJson(value: unknown, key = ''): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString(idKeys.has(key) ? 'hex' : 'base64')
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (Array.isArray(value)) return value.map((item) => toOtlpJson(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toOtlpJson(item, name)]))
}
