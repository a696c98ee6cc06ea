// Hashes the input of a tool: equal inputs give equal hashes, whatever the order of their keys.
import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { rewriteCanonical } from './canonical-text.ts'

const maxDepth = 64

/** Thrown and caught in this file only. */
const noForm = Symbol('no canonical form')

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/**
 * Returns a JSON number if a double holds the integer exactly, else its decimal digits as a string (RFC 8785 appendix D), so that 2^53+1
 * differs from 2^53, to which it would be rounded.
 */
function fromBigint(value: bigint): Json {
  const double = Number(value)
  return Number.isFinite(double) && BigInt(double) === value ? double : value.toString()
}

function wellFormed(text: string): string {
  if (!text.isWellFormed()) throw noForm
  return text
}

/** Keys that JavaScript treats as an index. It puts them before all other keys of an object, whatever the order of insertion. */
const indexKey = /^(?:0|[1-9]\d{0,9})$/

type Seen = { indexKeys: boolean }

function toJson(value: unknown, depth: number, seen: Seen): Json {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return wellFormed(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw noForm
    return value
  }
  if (typeof value === 'bigint') return fromBigint(value)
  if (typeof value !== 'object' || depth >= maxDepth) throw noForm
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : toJson(item, depth + 1, seen)))
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  // Members are read by their keys: `Object.entries` would create an array for each.
  const isMap = value instanceof Map
  const keys = inOrder(isMap ? [...value.keys()] : Object.keys(value))
  // An object without a prototype accepts any key as data, but is serialized three times as slowly.
  const members: { [key: string]: Json } = keys.includes('__proto__') ? Object.create(null) : {}
  for (const key of keys) {
    if (typeof key !== 'string') throw noForm
    seen.indexKeys ||= indexKey.test(key)
    const member = isMap ? value.get(key) : (value as { readonly [key: string]: unknown })[key]
    if (member !== undefined) members[wellFormed(key)] = toJson(member, depth + 1, seen)
  }
  return members
}

/** Sorts by UTF-16 code units, as RFC 8785 requires. The caller rejects keys that are not text. */
function inOrder(keys: unknown[]): unknown[] {
  let isOrdered = true
  for (let at = 1; at < keys.length && isOrdered; at++) isOrdered = (keys[at - 1] as string) < (keys[at] as string)
  return isOrdered ? keys : keys.sort((a, b) => ((a as string) < (b as string) ? -1 : 1))
}

/** RFC 8785 writes numbers and strings as JavaScript does. Only index keys, whose order JavaScript changes, need `canonicalize`. */
const toText = (json: Json, seen: Seen): string | undefined =>
  seen.indexKeys ? canonicalize(json) : JSON.stringify(json)

/**
 * Returns `sha256:` and the hex SHA-256 of the RFC 8785 form of a JSON value. Maps count as objects, bytes as their base64 text, and a
 * bigint as a number if a double holds it exactly, else as a string of its decimal digits. Returns null for a value without such a form:
 * nested deeper than 64, a number that is not finite, a lone surrogate, undefined. Costs one copy of the value and one hash.
 */
export function hashInput(value: unknown): string | null {
  const seen: Seen = { indexKeys: false }
  let json: Json
  try {
    json = toJson(value, 0, seen)
  } catch (error) {
    if (error === noForm) return null
    throw error
  }
  return digestOf(toText(json, seen) ?? 'null')
}

const digestOf = (text: string): string => `sha256:${hash('sha256', text, 'hex')}`

type Source = { readonly source?: string }

/** A number that may exceed the exact integers. */
const longDigits = /\d{16}/
const mostDigits = 40

/** A reviver that returns the digits of an integer which `JSON.parse` would round. */
function exactInteger(_key: string, value: unknown, context?: Source): unknown {
  const digits = context?.source
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !digits || !/^-?\d+$/.test(digits)) return value
  return digits.length <= mostDigits && BigInt(digits) === BigInt(value) ? value : digits
}

/** As `JSON.parse`, but an integer that a double does not hold becomes the text of its digits, as in OTLP. */
export const parseExact = (text: string): unknown =>
  longDigits.test(text) ? JSON.parse(text, exactInteger) : JSON.parse(text)

/**
 * Returns the hash of an input that was sent as text: of the JSON value in it, or of the text itself if it is not JSON. Unlike
 * `hashInput(JSON.parse(text))` it distinguishes integers beyond 2^53 (many record ids are larger), so that the result stored for one is
 * never served for another. Null as in `hashInput`. Most texts cost one or two passes and a hash (`rewriteCanonical`).
 */
export function hashInputText(text: string): string | null {
  const form = rewriteCanonical(text)
  if (form !== null) return digestOf(form)
  let value: unknown
  try {
    value = parseExact(text)
  } catch {
    value = text
  }
  return hashInput(value)
}
