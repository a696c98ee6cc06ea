// Parses JSON that arrives as text inside an attribute, replaces unstorable characters and limits the depth.
import { parseExact } from '../event/canonical-json.ts'
import type { Flag } from '../event/flag.ts'

/** The most levels of nesting that are kept. Serializing deeper values could overflow the stack. */
export const maxJsonDepth = 64

export type JsonObject = { readonly [key: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value if it is a text that is not empty, else null. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    if (isDeeper(member, levels - 1)) return true
  }
  return false
}

function rebuild(value: unknown, levels: number, text: (text: string) => string): unknown {
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map((member) => rebuild(member, levels - 1, text))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [text(key), rebuild(member, levels - 1, text)]),
  )
}

/** U+0000 and lone surrogates, which PostgreSQL cannot store, as escapes. The decoder has already replaced them in raw text. */
const unstorableEscape = /\\u(?:0000|d[89a-f])/i

/**
 * Returns the JSON value in a text; undefined where the text is not JSON. U+0000 and lone surrogates that were written as escapes become
 * U+FFFD (flag `text_cleaned`); nesting beyond 64 levels becomes null (flag `truncated`). Integers are exact (`parseExact`).
 * Cost: one parse and one walk, and a copy only if something has to be corrected.
 */
export function parseJson(text: string, flags: Set<Flag>): unknown {
  let value: unknown
  try {
    value = parseExact(text)
  } catch {
    return undefined
  }
  const isDeep = isDeeper(value, maxJsonDepth)
  if (isDeep) flags.add('truncated')
  const isUnclean = text.includes('\\u') && unstorableEscape.test(text)
  if (!isDeep && !isUnclean) return value
  return rebuild(value, maxJsonDepth, (raw) => {
    if (!isUnclean) return raw
    const clean = raw.toWellFormed().replaceAll('\0', '\uFFFD')
    if (clean !== raw) flags.add('text_cleaned')
    return clean
  })
}

/** Returns the object or list in a text; undefined for every other text. Only texts that begin with `{` or `[` are parsed. */
export function parseStructure(text: string, flags: Set<Flag>): unknown {
  const first = text.trimStart().charCodeAt(0)
  return first === 0x7b || first === 0x5b ? parseJson(text, flags) : undefined
}

/** Returns the JSON object or list in a text; any other value as it is. */
export function structureOr(value: unknown, flags: Set<Flag>): unknown {
  return typeof value === 'string' ? (parseStructure(value, flags) ?? value) : value
}
