// Reads fields of a parsed OTLP/JSON message in each of the JSON forms that proto3 allows. Null is the same as absent. Each reader throws
// Malformed if the value has another form. `field` names the field in that text: a constant, so that naming it costs nothing otherwise.

import { Malformed } from '../intake/malformed.ts'
import { requireUtf8 } from '../protobuf/text-protobuf.ts'

/** A JSON object. A member named `__proto__` is an ordinary member. */
export type WireObject = { readonly [name: string]: unknown }

const integerPattern = /^-?\d{1,20}$/
const longNumber = /[:[,]\s*-?\d{16}/
const maxUint64 = 0xffff_ffff_ffff_ffffn
const maxUint32 = 0xffff_ffff

type SourceContext = { readonly source?: string }

/** Parses one part of a body that `skipValue` has accepted. Integers that a number cannot hold become bigint. */
export function parsePart(bytes: Buffer, start: number, end: number): unknown {
  const text = bytes.toString('utf8', start, end)
  if (text.includes('\uFFFD')) requireUtf8(bytes, start, end)
  if (!longNumber.test(text)) return JSON.parse(text)
  const keepDigits = (_name: string, value: unknown, context?: SourceContext): unknown => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
    const source = context?.source ?? ''
    return integerPattern.test(source) ? BigInt(source) : value
  }
  return JSON.parse(text, keepDigits)
}

/** Returns the field by its JSON name or its proto name. */
export const pick = (object: WireObject, name: string, protoName: string): unknown => object[name] ?? object[protoName]

const wrong = (field: string, what: string) => new Malformed(`${field} must be ${what}.`)

export function asObject(value: unknown, field: string): WireObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(field, 'an object')
  return value as WireObject
}

export function asList(value: unknown, field: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw wrong(field, 'an array')
  return value
}

export function asText(value: unknown, field: string): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw wrong(field, 'a string')
  return value
}

/** Returns an integer from a number of any size or decimal text of at most 20 digits. */
export function asInteger(value: unknown, field: string): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
  if (typeof value === 'string' && integerPattern.test(value)) return BigInt(value)
  throw wrong(field, 'an integer of at most 20 digits')
}

export function asNanos(value: unknown, field: string): bigint {
  if (value === undefined || value === null) return 0n
  const nanos = asInteger(value, field)
  if (nanos < 0n || nanos > maxUint64) throw wrong(field, `an integer from 0 to ${maxUint64}`)
  return nanos
}

export function asCount(value: unknown, field: string): number {
  if (value === undefined || value === null) return 0
  const count = Number(asInteger(value, field))
  if (count < 0 || count > maxUint32) throw wrong(field, `an integer from 0 to ${maxUint32}`)
  return count
}

/** Returns the number of an enum value that is given by name or number; 0 for an unknown value. */
export function asEnum(value: unknown, names: readonly string[], field: string): number {
  if (value === undefined || value === null) return 0
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value < names.length ? value : 0
  if (typeof value === 'string') return Math.max(0, names.indexOf(value))
  if (typeof value === 'bigint') return 0
  throw wrong(field, `a number or a name such as ${names.at(-1)}`)
}

/** Returns an id as lower-case hex: '' if it is absent, null if it is not the hex of `bytes` bytes. */
export function asId(value: unknown, bytes: number, field: string): string | null {
  const text = asText(value, field)
  if (text === '') return ''
  return text.length === bytes * 2 && /^[0-9a-f]+$/i.test(text) ? text.toLowerCase() : null
}
