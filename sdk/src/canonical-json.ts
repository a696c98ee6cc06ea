// SDK. The canonical text of a JSON value (RFC 8785): equal values have equal text; a value that JSON cannot represent has none.

const maxDepth = 64

/** Why a value has no canonical text. */
export type Unfit = 'no_json_value' | 'too_large'

export type Canonical = { readonly text: string } | { readonly text: null; readonly why: Unfit }

/** Thrown and caught in this file only. */
const noForm = Symbol('no canonical form')
const tooLarge = Symbol('too large')

type Budget = { chars: number }

/**
 * Returns the canonical text, or why the value has none. A value has one if it consists of null, booleans, finite numbers, well-formed
 * strings, arrays without holes and plain objects, is nested at most 64 deep, and is at most about `maxChars` characters long. The length
 * is checked before the whole text is built. Undefined members count as absent. A Map is refused because JSON would turn each one into
 * `{}`, and a result must never be attributed to another input; a Date is refused as well.
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

/** Returns the canonical text, or null where the value has none. */
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

/** The fewest characters of an item and its comma, and of a member, its key and its comma. */
const least = { item: 2, member: 5 }

function writeArray(items: readonly unknown[], depth: number, budget: Budget): string {
  spend('[]', budget)
  // Checked first, since listing the keys of millions of items takes seconds.
  if (items.length * least.item > budget.chars) throw tooLarge
  // Of a subclass of Array, or an array with extra properties, JSON keeps only the items: two different values would have the same text.
  if (Object.getPrototypeOf(items) !== Array.prototype || Reflect.ownKeys(items).length > items.length + 1) throw noForm
  let text = '['
  for (let at = 0; at < items.length; at++) text += (at === 0 ? '' : ',') + write(items[at], depth + 1, budget)
  return `${text}]`
}

function writeObject(object: object, depth: number, budget: Budget): string {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) throw noForm
  spend('{}', budget)
  const members = object as Record<string, unknown>
  if (typeof members['toJSON'] === 'function') throw noForm
  // JSON omits members that have a symbol as key or are not enumerable.
  const keys = Object.keys(members)
  if (keys.length * least.member > budget.chars) throw tooLarge
  if (Reflect.ownKeys(members).length !== keys.length) throw noForm
  let text = '{'
  // The default order is by UTF-16 code units, as RFC 8785 requires.
  for (const key of keys.sort()) {
    const member = members[key]
    if (member === undefined) continue
    text += `${text.length === 1 ? '' : ','}${write(key, depth, budget)}:${write(member, depth + 1, budget)}`
  }
  return `${text}}`
}
