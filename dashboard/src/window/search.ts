// Reads and writes search parameters as text. The router's default parser reads values as JSON: an id that consists of digits loses
// some, and one like 662e41 becomes a power of ten.

/** Search parameters as they are in the URL. */
export type Search = Readonly<Record<string, string>>

/** Parses the search part of a URL. If a name occurs twice, the first value counts. A parameter without a value is ignored. */
export function parseSearch(text: string): Search {
  const found = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (value !== '' && !found.has(name)) found.set(name, value)
  }
  return Object.fromEntries(found)
}

/** Returns the search part of a URL with a leading question mark; empty without parameters. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    const text = showValue(value)
    if (text !== '') params.append(name, text)
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

function showValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`
  throw new TypeError('a search parameter is a text, a number or a truth value')
}

/** For `validateSearch` of the root route: converts the values that code puts into a link to text, as a reload would read them. */
export const validateSearch = (search: Readonly<Record<string, unknown>>): Search =>
  parseSearch(stringifySearch(search))

/** Returns the search with the changed parameters set, or removed if they are null. */
export function changeSearch(search: Search, changes: Readonly<Record<string, string | null>>): Search {
  const merged = { ...search, ...changes }
  return Object.fromEntries(Object.entries(merged).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}
