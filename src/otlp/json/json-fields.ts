// Reads fields of a parsed OTLP/JSON message in each of the JSON forms that proto3 allows. Null is the same as absent.

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

const wrong = (what: string) => new Malformed(`A field is not ${what}.`)

export function asObject(value: unknown): WireObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('an object')
  return value as WireObject
}

export function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw wrong('an array')
  return value
}

export function asText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw wrong('text')
  return value
}

/** Returns an integer of any size, from a number or decimal text. */
export function asInteger(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
  if (typeof value === 'string' && integerPattern.test(value)) return BigInt(value)
  throw wrong('an integer')
}

export function asNanos(value: unknown): bigint {
  if (value === undefined || value === null) return 0n
  const nanos = asInteger(value)
  if (nanos < 0n || nanos > maxUint64) throw wrong('a 64-bit time')
  return nanos
}

export function asCount(value: unknown): number {
  if (value === undefined || value === null) return 0
  const count = Number(asInteger(value))
  if (count < 0 || count > maxUint32) throw wrong('a 32-bit count')
  return count
}

/** Returns the number of an enum value that is given by name or number; 0 for an unknown value. */
export function asEnum(value: unknown, names: readonly string[]): number {
  if (value === undefined || value === null) return 0
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value < names.length ? value : 0
  if (typeof value === 'string') return Math.max(0, names.indexOf(value))
  if (typeof value === 'bigint') return 0
  throw wrong('an enum')
}

/** Returns an id as lower-case hex: '' if it is absent, null if it is not the hex of `bytes` bytes. */
export function asId(value: unknown, bytes: number): string | null {
  const text = asText(value)
  if (text === '') return ''
  return text.length === bytes * 2 && /^[0-9a-f]+$/i.test(text) ? text.toLowerCase() : null
}
