// SDK. The canonical text of a JSON value (RFC 8785): equal values give equal text, and what is no JSON value gives none.

const maxDepth = 64

/** Why a value has no canonical text. */
export type Unfit = 'no_json_value' | 'too_large'

export type Canonical = { readonly text: string } | { readonly text: null; readonly why: Unfit }

/** Thrown in this file only, and caught here. */
const noForm = Symbol('no canonical form')
const tooLarge = Symbol('too large')

type Budget = { chars: number }

/**
 * The canonical text, or why the value has none. A value has none if it is anything but null, booleans, finite numbers, well-formed strings,
 * arrays without holes and plain objects; nested deeper than 64; or, about, more than `maxChars` long, which is found out
 * before the text is made. Members that are undefined count as absent. A Map or a Date is refused, since JSON would make
 * `{}` of every Map, and a result must never be taken for that of another input.
 */
export function canonicalForm(value: unknown, maxChars: number): Canonical {
  try {
    return { text: write(value, 0, { chars: maxChars }) }
  } catch (error) {
    if (error === noForm) return { text: null, why: 'no_json_value' }
    if (error === tooLarge) return { text: null, why: 'too_large' }
    throw error
  }
}

/** The canonical text, or null where the value has none. */
export const canonicalText = (value: unknown, maxChars: number): string | null => canonicalForm(value, maxChars).text

function write(value: unknown, depth: number, budget: Budget): string {
  if (value === null) return spend('null', budget)
  if (typeof value === 'string') {
    if (value.length > budget.chars) throw tooLarge
    if (!value.isWellFormed()) throw noForm
    return spend(JSON.stringify(value), budget)
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw noForm
    return spend(JSON.stringify(value), budget)
  }
  if (typeof value === 'boolean') return spend(value ? 'true' : 'false', budget)
  if (typeof value !== 'object' || depth >= maxDepth) throw noForm
  return Array.isArray(value) ? writeArray(value, depth, budget) : writeObject(value, depth, budget)
}

function spend(text: string, budget: Budget): string {
  budget.chars -= text.length + 1
  if (budget.chars < 0) throw tooLarge
  return text
}

function writeArray(items: readonly unknown[], depth: number, budget: Budget): string {
  // Of a subclass, and of an array with members of its own, JSON keeps the items alone: two that differ would have one text.
  if (Object.getPrototypeOf(items) !== Array.prototype || Reflect.ownKeys(items).length > items.length + 1) throw noForm
  let text = '['
  for (let at = 0; at < items.length; at++) text += (at === 0 ? '' : ',') + write(items[at], depth + 1, budget)
  return `${text}]`
}

function writeObject(object: object, depth: number, budget: Budget): string {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) throw noForm
  const members = object as Record<string, unknown>
  if (typeof members['toJSON'] === 'function') throw noForm
  // JSON leaves out what is under a symbol or not enumerable.
  const keys = Object.keys(members)
  if (Reflect.ownKeys(members).length !== keys.length) throw noForm
  let text = '{'
  // The default order is that of UTF-16 code units, as RFC 8785 wants it.
  for (const key of keys.sort()) {
    const member = members[key]
    if (member === undefined) continue
    text += `${text.length === 1 ? '' : ','}${write(key, depth, budget)}:${write(member, depth + 1, budget)}`
  }
  return `${text}}`
}
