// Search parameters as text, both ways. The router's own parser reads values as JSON: an all-digit id loses digits, and
// one like 662e41 becomes a power of ten.

/** Search parameters as they stand in the URL. */
export type Search = Readonly<Record<string, string>>

/** Of a name that occurs twice the first value counts. A parameter without a value is one that is not given. */
export function parseSearch(text: string): Search {
  const found = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (value !== '' && !found.has(name)) found.set(name, value)
  }
  return Object.fromEntries(found)
}

/** With a leading question mark; empty where nothing is given. */
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

/** For `validateSearch` of the root route: what code puts into a link becomes text, as a reload would read it. */
export const validateSearch = (search: Readonly<Record<string, unknown>>): Search =>
  parseSearch(stringifySearch(search))

/** The search with some parameters set, and those removed that are null. */
export function changeSearch(search: Search, changes: Readonly<Record<string, string | null>>): Search {
  const merged = { ...search, ...changes }
  return Object.fromEntries(Object.entries(merged).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}
