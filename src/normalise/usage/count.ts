// One token count or amount, as any sender may write it.

import type { Flag } from '../../event/flag.ts'
import type { Names } from '../../otlp/names.ts'
import type { Attributes } from '../../otlp/span.ts'
import { among } from '../attribute.ts'
import { isObject, parseStructure } from '../json.ts'

/** More tokens than any call can have; a count beyond it is a fault of the sender. */
const maxTokens = 1_000_000_000_000

/** The members in which OTLP/JSON wraps a number; some senders put the wrapping itself into an attribute. */
const wrappings = ['intValue', 'doubleValue', 'stringValue']

function unwrapped(value: unknown, flags: Set<Flag>): unknown {
  const inner = typeof value === 'string' && value.includes('{') ? parseStructure(value, flags) : value
  if (inner instanceof Map) {
    for (const name of wrappings) if (inner.has(name)) return inner.get(name)
  } else if (isObject(inner)) {
    for (const name of wrappings) if (name in inner) return inner[name]
  }
  return value
}

/**
 * A number from 0 to `max` in any of the forms that senders use: number, bigint, decimal text, `{"intValue":"5"}`.
 * Null for what says nothing (absent, null, blank), and, with flag `usage_invalid`, for what is no such number.
 */
export function readAmount(given: unknown, max: number, flags: Set<Flag>): number | null {
  if (given === undefined || given === null) return null
  const value = typeof given === 'number' || typeof given === 'bigint' ? given : unwrapped(given, flags)
  if (value === null || (typeof value === 'string' && value.trim() === '')) return null
  const amount = typeof value === 'number' ? value : numberOf(value)
  if (amount >= 0 && amount <= max) return amount
  flags.add('usage_invalid')
  return null
}

const numberOf = (value: unknown): number =>
  typeof value === 'string' || typeof value === 'bigint' ? Number(value) : Number.NaN

/** A whole number of tokens. A fraction is rounded and sets `usage_adjusted`. Otherwise as `readAmount`. */
export function readCount(given: unknown, flags: Set<Flag>): number | null {
  const amount = readAmount(given, maxTokens, flags)
  if (amount === null || Number.isInteger(amount)) return amount
  flags.add('usage_adjusted')
  return Math.round(amount)
}

/** The first of `names` that holds a usable count. */
export function firstCount(attributes: Attributes, names: Names, flags: Set<Flag>): number | null {
  for (const key of among(attributes, names)) {
    const value = attributes.get(key)
    if (value === undefined) continue
    const count = readCount(value, flags)
    if (count !== null) return count
  }
  return null
}
