// Reads KeyValue and AnyValue from parsed OTLP/JSON, into the same form and under the same limits as from protobuf.

import type { AttributeMap, AttributeValue } from '../../event/span.ts'
import { type AttributeBag, admitKey, valueLimit } from '../intake/attribute-bag.ts'
import { cutMarker, type DecodeContext, fitText, maxBytesPerUnit, spendNested } from '../intake/clean.ts'
import { Malformed } from '../intake/malformed.ts'
import { asInteger, asList, asObject, asText, pick, type WireObject } from './json-fields.ts'

const kvlistItem = 'Each of kvlistValue.values'
const base64Pattern = /^[A-Za-z0-9+/_-]*={0,2}$/
const numberPattern = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
/** Integers of up to this many characters are safe as numbers. */
const maxSafeDigits = 15
const wordNumbers: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity'])

/** Reads a list of KeyValues into the bag. Throws Malformed if a KeyValue has a wrong JSON type. */
export function readAttributes(list: unknown, bag: AttributeBag, context: DecodeContext): void {
  for (const item of asList(list, 'attributes')) {
    const entry = asObject(item, 'Each attribute')
    const key = readKey(entry, context)
    if (admitKey(bag, key, Buffer.byteLength(key), context)) bag.map.set(key, readValue(entry.value, key, 1, context))
  }
}

const readKey = (entry: WireObject, context: DecodeContext): string =>
  fitText(asText(entry.key, 'The key of an attribute'), context.limits.spanBytes, context)

function readValue(input: unknown, key: string, level: number, context: DecodeContext): AttributeValue {
  if (input === undefined || input === null) return null
  const value = asAnyValue(input)
  if (level > context.limits.depth) {
    checkDepth(value, level, context)
    context.flags.add('truncated')
    return cutMarker
  }
  const text = pick(value, 'stringValue', 'string_value')
  if (isSet(text)) return readText(asText(text, 'stringValue'), key, context)
  const bool = pick(value, 'boolValue', 'bool_value')
  if (isSet(bool)) return readBool(bool)
  const int = pick(value, 'intValue', 'int_value')
  if (isSet(int)) return readInt64(int)
  const double = pick(value, 'doubleValue', 'double_value')
  if (isSet(double)) return readDouble(double)
  const array = pick(value, 'arrayValue', 'array_value')
  if (isSet(array)) return readItems(asObject(array, 'arrayValue').values, key, level, context)
  const map = pick(value, 'kvlistValue', 'kvlist_value')
  if (isSet(map)) return readMap(asObject(map, 'kvlistValue').values, key, level, context)
  const bytes = pick(value, 'bytesValue', 'bytes_value')
  return isSet(bytes) ? readBytes(bytes, key, context) : null
}

/** As `asObject`, with an example: hand-written senders put a plain value where an AnyValue belongs. */
function asAnyValue(input: unknown): WireObject {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as WireObject
  throw new Malformed(
    'The value of an attribute must be an object such as {"stringValue":"text"}, and so must each value inside it.',
  )
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null

function readText(text: string, key: string, context: DecodeContext): string {
  const { limits } = context
  // The limit of the key is looked up only if it may matter.
  const isShort = text.length * maxBytesPerUnit <= limits.valueBytes
  return fitText(text, isShort ? limits.valueBytes : valueLimit(key, limits), context)
}

function readBool(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Malformed('boolValue must be true or false.')
  return value
}

function readInt64(value: unknown): number | bigint {
  if (typeof value === 'string' && value.length <= maxSafeDigits) return Number(asInteger(value, 'intValue'))
  const exact = asInteger(value, 'intValue')
  if (BigInt.asIntN(64, exact) !== exact) throw new Malformed('intValue must fit into 64 bits.')
  const near = Number(exact)
  return Number.isSafeInteger(near) ? near : exact
}

function readDouble(value: unknown): number | string {
  if (typeof value === 'string' && wordNumbers.has(value)) return value
  const isNumber =
    typeof value === 'number' || typeof value === 'bigint' || (typeof value === 'string' && numberPattern.test(value))
  if (!isNumber) throw new Malformed('doubleValue must be a number.')
  const double = Number(value)
  return Number.isFinite(double) ? double : String(double)
}

function readBytes(value: unknown, key: string, context: DecodeContext): AttributeValue {
  const text = asText(value, 'bytesValue')
  if (!base64Pattern.test(text)) throw new Malformed('bytesValue must be base64.')
  const bytes = new Uint8Array(Buffer.from(text, 'base64'))
  if (bytes.byteLength <= valueLimit(key, context.limits)) return bytes
  // Cut bytes could be mistaken for complete ones, so none are kept.
  context.flags.add('truncated')
  return cutMarker
}

function readItems(list: unknown, key: string, level: number, context: DecodeContext): AttributeValue[] {
  const items: AttributeValue[] = []
  for (const item of asList(list, 'arrayValue.values')) {
    if (!spendNested(context)) break
    items.push(readValue(item, key, level + 1, context))
  }
  return items
}

function readMap(list: unknown, key: string, level: number, context: DecodeContext): AttributeMap {
  const map: AttributeMap = new Map()
  for (const item of asList(list, 'kvlistValue.values')) {
    if (!spendNested(context)) break
    const entry = asObject(item, kvlistItem)
    const name = readKey(entry, context)
    if (name === '' || Buffer.byteLength(name) > context.limits.keyBytes) context.flags.add('truncated')
    else map.set(name, readValue(entry.value, key, level + 1, context))
  }
  return map
}

/** Throws Malformed if the AnyValue is nested `refusedDepth` levels deep or more, which no real sender does. */
function checkDepth(value: WireObject, level: number, context: DecodeContext): void {
  if (level >= context.limits.refusedDepth) throw new Malformed(`A value is nested ${level} levels deep or more.`)
  const array = pick(value, 'arrayValue', 'array_value')
  const map = pick(value, 'kvlistValue', 'kvlist_value')
  if (isSet(array)) {
    const { values } = asObject(array, 'arrayValue')
    for (const item of asList(values, 'arrayValue.values')) checkInner(item, level, context)
  } else if (isSet(map)) {
    const { values } = asObject(map, 'kvlistValue')
    for (const item of asList(values, 'kvlistValue.values'))
      checkInner(asObject(item, kvlistItem).value, level, context)
  }
}

function checkInner(value: unknown, level: number, context: DecodeContext): void {
  if (isSet(value)) checkDepth(asAnyValue(value), level + 1, context)
}
