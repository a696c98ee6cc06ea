// Reads single attributes of any type that a sender may use.

import type { Flag } from '../event/flag.ts'
import type { Names } from '../event/names.ts'
import type { Attributes, AttributeValue } from '../event/span.ts'
import { maxJsonDepth } from './json.ts'

/** The most characters (UTF-16 units) of a value in an indexed column: a name, an id, a model or a session. */
export const maxNameChars = 256

/** The most characters of a word, such as a finish reason. */
export const maxWordChars = 64
export const maxErrorMessageChars = 2_048
/** Kept beyond a limit until the content mode is applied, which would not recognize a secret that is cut. */
const lookaheadChars = 4_096

/** Cuts a text at `maxChars` UTF-16 units, but never inside a code point. */
export function cutAt(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const last = text.charCodeAt(maxChars - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars)
}

/** Returns the text. If it is longer than `maxChars`, sets `truncated`: `cutEvent` cuts it once the content mode is applied. */
export function bounded(text: string, maxChars: number, flags: Set<Flag>): string {
  if (text.length <= maxChars) return text
  flags.add('truncated')
  return cutAt(text, maxChars + lookaheadChars)
}

/** Returns a scalar as text; null for blank texts, lists, maps and bytes. */
export function asText(value: AttributeValue | undefined): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  return null
}

/** Returns the keys of the `names` that may be present. For most fields and spans there are none. */
export const among = (attributes: Attributes, names: Names): readonly (string | number)[] =>
  attributes.among?.(names) ?? names.all

/** Returns the value of the first of `names` that is present. */
export function first(attributes: Attributes, names: Names): AttributeValue | undefined {
  for (const key of among(attributes, names)) {
    const value = attributes.get(key)
    if (value !== undefined) return value
  }
  return undefined
}

/** Whether any of `names` is present. Decodes no value. */
export function has(attributes: Attributes, names: Names): boolean {
  for (const key of among(attributes, names)) if (typeof key === 'number' || attributes.has(key)) return true
  return false
}

/** Returns the first of `names` that holds a scalar, as text of any length; null where none does. */
export function firstText(attributes: Attributes, names: Names): string | null {
  for (const key of among(attributes, names)) {
    const value = attributes.get(key)
    if (value === undefined) continue
    const text = asText(value)
    if (text !== null) return text
  }
  return null
}

/** As `firstText`, with the limit of a name. */
export function firstName(attributes: Attributes, names: Names, flags: Set<Flag>): string | null {
  const text = firstText(attributes, names)
  return text === null ? null : bounded(text, maxNameChars, flags)
}

/** Returns the value of the first of `names` that is neither absent, null nor the empty text. */
export function firstPresent(attributes: Attributes, names: Names): AttributeValue | undefined {
  for (const key of among(attributes, names)) {
    const value = attributes.get(key)
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}

/** Whether a value is the boolean true, or its text. */
export function isTrue(value: AttributeValue | undefined): boolean {
  return value === true || value === 'true' || value === 'True'
}

/** Returns the first of `names` that holds a boolean or its text; null where none does. */
export function firstBoolean(attributes: Attributes, names: Names): boolean | null {
  for (const key of among(attributes, names)) {
    const value = attributes.get(key)
    if (isTrue(value)) return true
    if (value === false || value === 'false' || value === 'False') return false
  }
  return null
}

/**
 * Returns the plain JSON value of an attribute: a map as an object, bytes as base64, an integer beyond 2^53 as its digits. Nesting beyond
 * 64 levels is cut and sets `truncated`. Cost: one copy.
 */
export function toPlain(value: AttributeValue, flags: Set<Flag>, depth = 0): unknown {
  if (typeof value === 'bigint') {
    return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
      ? Number(value)
      : value.toString()
  }
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  if (depth >= maxJsonDepth) {
    flags.add('truncated')
    return null
  }
  if (Array.isArray(value)) return value.map((item) => toPlain(item, flags, depth + 1))
  return Object.fromEntries([...value].map(([key, member]) => [key, toPlain(member, flags, depth + 1)]))
}
