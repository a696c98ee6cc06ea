// A pattern of secrets or personal identifiers in text, and what patterns are made of.
import type { TextRange } from './place.ts'

export type Pattern = {
  readonly kind: string
  /** Pairs of ASCII characters, of which a text that `mayMatch` accepts contains at least one; of a second list, too, if there is one. */
  readonly pairs: readonly [readonly string[], (readonly string[])?]
  /** A cheap check: false if the text cannot contain a match. */
  readonly mayMatch: (text: string) => boolean
  /** Returns the first match at or after `from`, or null. */
  readonly find: (text: string, from: number) => TextRange | null
}

/** A regular expression for the start of a run of these characters, also after an escaped line break, as in JSON inside text. */
export const startOf = (run: string): string => `(?:(?<![${run}])(?!(?<=\\\\)[nrt])|(?<=\\\\[nrt]))`

/** The start of a word with dashes. */
export const word = startOf('\\w-')
export const has =
  (...parts: readonly string[]) =>
  (text: string): boolean =>
    parts.some((part) => text.includes(part))

/** Finds the match of a regular expression or, if it has a group `value`, the last occurrence of that value in the match. */
export function byRegExp(source: string, flags = ''): Pattern['find'] {
  const expression = new RegExp(source, `g${flags}`)
  return (text, from) => {
    expression.lastIndex = from
    const match = expression.exec(text)
    if (match === null) return null
    const value = match.groups?.['value'] ?? match[0]
    const start = match.index + match[0].lastIndexOf(value)
    return { start, end: start + value.length }
  }
}

/** The pairs of each of these characters with each of those. */
export const eachPair = (first: string, second: string): string[] =>
  Array.from(first).flatMap((one) => Array.from(second, (other) => one + other))

/** The pairs of letters in upper and lower case. */
export const inAnyCase = (...pairs: readonly string[]): string[] =>
  pairs.flatMap((pair) => {
    const [first = '', second = ''] = pair
    return [
      ...new Set(eachPair(first.toLowerCase() + first.toUpperCase(), second.toLowerCase() + second.toUpperCase())),
    ]
  })

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join('')

/** All pairs that contain one of these characters, for a text of at least two. Other characters than ASCII count as U+0000. */
export const anyPair = (characters: string): string[] => [
  ...new Set([...eachPair(characters, ascii), ...eachPair(ascii, characters)]),
]

export const [digits, letters] = ['0123456789', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
