// Identifies the attributes of every dialect that carry content: the input and output of models and tools.
import type { ContentNames, Dialect } from '../normalise/merge/definition.ts'
import { allDialects } from '../normalise/registry.ts'

/**
 * The part of the normalised content that contains the same data: input messages or tool arguments (`in`), output messages or a tool result
 * (`out`), both of them (`both`), or none (`apart`: documents, tool definitions, prompt variables).
 */
export type ContentSide = keyof ContentNames

/** Returns the side of an attribute by its name; null for one that carries no content. */
export type ContentSides = (key: string) => ContentSide | null

const allSides: readonly ContentSide[] = ['in', 'out', 'both', 'apart']
const isFamily = (name: string): boolean => name.endsWith('.*') || name.endsWith('.#')

/** Returns the pattern of a name that is followed by an index (`.#`) or by a key of the sender's choice (`.*`). */
const patternOf = (family: string): string =>
  family.slice(0, -1).replaceAll(/\W/g, '\\$&') + (family.endsWith('#') ? '\\d' : '')

export function mergeContentSides(dialects: readonly Dialect[]): ContentSides {
  const named = allSides.map((side) => ({ side, names: dialects.flatMap(({ content }) => content?.[side] ?? []) }))
  const sides: ReadonlyMap<string, ContentSide> = new Map(
    named.flatMap(({ side, names }) => names.filter((name) => !isFamily(name)).map((name) => [name, side] as const)),
  )
  const families = named
    .map(({ side, names }) => ({ side, patterns: names.filter(isFamily).map(patternOf) }))
    .filter(({ patterns }) => patterns.length > 0)
    .map(({ side, patterns }) => ({ side, family: new RegExp(`^(?:${patterns.join('|')})`) }))
  return (key) => sides.get(key) ?? families.find(({ family }) => family.test(key))?.side ?? null
}

/** Returns the side of an attribute in any dialect; null for one that carries no content. */
export const contentSideOf: ContentSides = mergeContentSides(allDialects)

/** True for attributes that carry prompts, completions, tool arguments or results, documents or similar content. */
export const isContentAttribute = (key: string): boolean => contentSideOf(key) !== null
