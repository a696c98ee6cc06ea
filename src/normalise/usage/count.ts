// Reads a token count or an amount in any of the forms that senders use.

import type { Flag } from '../../event/flag.ts'
import type { Names } from '../../event/names.ts'
import type { Attributes } from '../../event/span.ts'
import { among } from '../attribute.ts'
import { isObject, type JsonObject, parseStructure } from '../json.ts'
import type { ReportedUsage } from './reported-usage.ts'

/** More tokens than any call can have. A higher count is an error of the sender. */
const maxTokens = 1_000_000_000_000

/** More US dollars than one span can cost. */
export const maxCostUsd = 1_000_000

/** The members in which OTLP/JSON wraps a number. Some senders put the wrapper itself into an attribute. */
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

/** Returns the number that is given in one of the forms that `readAmount` lists, NaN for another value; null where there is none. */
function numberIn(given: unknown, flags: Set<Flag>): number | null {
  if (typeof given === 'number' || given === undefined || given === null) return given ?? null
  const value = typeof given === 'bigint' ? given : unwrapped(given, flags)
  if (value === null || (typeof value === 'string' && value.trim() === '')) return null
  return typeof value === 'string' || typeof value === 'bigint' || typeof value === 'number'
    ? Number(value)
    : Number.NaN
}

/**
 * Returns a number from 0 to `max`, given as a number, a bigint, a decimal text or `{"intValue":"5"}`. Returns null for an absent, null or
 * blank value. Returns null and sets `usage_invalid` for any other value.
 */
export function readAmount(given: unknown, max: number, flags: Set<Flag>): number | null {
  const amount = numberIn(given, flags)
  if (amount === null || (amount >= 0 && amount <= max)) return amount
  flags.add('usage_invalid')
  return null
}

/** Returns a whole number of tokens. A fraction is rounded and sets `usage_adjusted`. Otherwise as `readAmount`. */
export function readCount(given: unknown, flags: Set<Flag>): number | null {
  const amount = readAmount(given, maxTokens, flags)
  if (amount === null || Number.isInteger(amount)) return amount
  flags.add('usage_adjusted')
  return Math.round(amount)
}

type CountReader = (given: unknown, flags: Set<Flag>) => number | null

/**
 * As `readCount`, for the output of a call: notes in `reported` a count that is dropped because no call can have so many tokens. Other values
 * that are dropped, such as -1 or `None`, are how senders write that they have no count.
 */
export const readOutputOf =
  (reported: Pick<ReportedUsage, 'isOutputAbsurd'>): CountReader =>
  (given, flags) => {
    const amount = numberIn(given, flags)
    if (amount !== null && amount > maxTokens) reported.isOutputAbsurd = true
    return readCount(amount, flags)
  }

/** Returns the first usable count under `keys`; null where there is none. */
export function firstCountIn(
  object: JsonObject | null,
  keys: readonly string[],
  flags: Set<Flag>,
  read: CountReader = readCount,
): number | null {
  if (object === null) return null
  for (const key of keys) {
    const count = read(object[key], flags)
    if (count !== null) return count
  }
  return null
}

/** Returns the first usable count under `names`; null where there is none. */
export function firstCount(
  attributes: Attributes,
  names: Names,
  flags: Set<Flag>,
  read: CountReader = readCount,
): number | null {
  for (const key of among(attributes, names)) {
    const count = read(attributes.get(key), flags)
    if (count !== null) return count
  }
  return null
}
