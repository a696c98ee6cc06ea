// Floor 1. Which attributes carry what was said to and by a model or a tool, in every dialect.

import type { ContentNames, Dialect } from '../../normalise/merge/definition.ts'
import { allDialects } from '../../normalise/registry.ts'

/**
 * Where the normalised content keeps the same thing: messages in or tool arguments (`in`), messages out or a tool result
 * (`out`), both in one attribute (`both`), or nowhere (`apart`: documents, tool definitions, prompt variables).
 */
export type ContentSide = keyof ContentNames

/** Gives the side of an attribute by its name; null for one that carries no content. */
export type ContentSides = (key: string) => ContentSide | null

const allSides: readonly ContentSide[] = ['in', 'out', 'both', 'apart']
const isFamily = (name: string): boolean => name.endsWith('.*') || name.endsWith('.#')

/** A name with an index (`.#`) or a key of the sender's (`.*`) behind it. */
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

/** Where the content of this attribute belongs; null for an attribute that carries none. */
export const contentSideOf: ContentSides = mergeContentSides(allDialects)

/** True for attributes that carry prompts, completions, tool arguments or results, documents and the like. */
export const isContentAttribute = (key: string): boolean => contentSideOf(key) !== null
