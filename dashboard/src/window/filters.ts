// Filters in the URL. A value that a page cannot read is ignored and reported, so that an old link still opens.
import { isUuid } from '../format/index.ts'
import type { Search } from './search.ts'
import type { Ignored } from './time-window.ts'

/** Reads one parameter. `read` returns null if the text is not what the parameter expects. */
export type Reader<T> = { readonly read: (text: string) => T | null; readonly expects: string }

type Readers = Readonly<Record<string, Reader<unknown>>>

export type Filters<R extends Readers> = {
  readonly [Name in keyof R]?: R[Name] extends Reader<infer T> ? T : never
}

// The parameters of all pages: a parameter that a link kept from another page is not an error.
const vocabulary = new Set(
  [
    'range from_time to_time period',
    'agent_id model tool_name kind status session_id trace_id type state severity',
    'min_duration_ms min_cost_usd served order_by',
    'view span peek cols group_by finding next actor action',
  ].flatMap((names) => names.split(' ')),
)

const maxCharacters = 1_024

export const uuidFilter: Reader<string> = {
  read: (text) => (isUuid(text) ? text.toLowerCase() : null),
  expects: 'a UUID',
}

export const textFilter: Reader<string> = {
  read: (text) => (text.length <= maxCharacters && !text.includes('\0') ? text : null),
  expects: `at most ${maxCharacters} characters`,
}

export const positiveFilter: Reader<number> = {
  read: (text) => (/^\d{1,15}(\.\d{1,9})?$/.test(text) && Number(text) > 0 ? Number(text) : null),
  expects: 'a number above 0',
}

export const periodFilter: Reader<string> = {
  read: (text) => (/^20\d\d-(0[1-9]|1[0-2])$/.test(text) ? text : null),
  expects: 'a month such as 2026-11',
}

export function oneOf<const T extends string>(...values: readonly T[]): Reader<T> {
  return { read: (text) => values.find((value) => value === text) ?? null, expects: values.join(', ') }
}

/** Returns the filters of a page, and the parameters of the URL that it ignored. */
export function readFilters<R extends Readers>(
  search: Search,
  readers: R,
): { readonly filters: Filters<R>; readonly ignored: readonly Ignored[] } {
  const filters: Record<string, unknown> = {}
  const ignored: Ignored[] = []
  for (const [name, value] of Object.entries(search)) {
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined
    const read = reader?.read(value) ?? null
    if (read !== null) filters[name] = read
    else if (reader !== undefined) ignored.push({ name, value, why: `expected ${reader.expects}` })
    else if (!vocabulary.has(name)) ignored.push({ name, value, why: 'not a parameter of this page' })
  }
  return { filters: filters as Filters<R>, ignored }
}

const maxShown = 40

/** Returns the note above a list; null if no parameter was ignored. */
export function describeIgnored(ignored: readonly Ignored[]): string | null {
  if (ignored.length === 0) return null
  const parts = ignored.map(({ name, value, why }) => `${name}=${cut(value)} (${why})`)
  return `Not used: ${parts.join('; ')}.`
}

const cut = (value: string): string => (value.length <= maxShown ? value : `${value.slice(0, maxShown)}…`)
