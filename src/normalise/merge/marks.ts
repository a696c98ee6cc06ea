// Recognizes the dialects whose marks a span bears.
import { anyOf } from '../../event/names.ts'
import type { Attributes, Span } from '../../event/span.ts'
import { first, has } from '../attribute.ts'
import type { Dialect, Marks } from './definition.ts'

function isScope(pattern: string, scope: string): boolean {
  if (pattern.startsWith('*')) return scope.includes(pattern.slice(1, -1))
  return pattern.endsWith('*') ? scope.startsWith(pattern.slice(0, -1)) : scope === pattern
}

export const hasScope = ({ scopes = [] }: Marks, scope: string): boolean =>
  scopes.some((pattern) => isScope(pattern, scope))

// The most scope names that are cached: more than any sender has. It is a limit because senders choose the names.
const maxScopes = 1_000

const namesOfMarks = ({ attributes = [], values = {} }: Marks): readonly string[] => [
  ...attributes,
  ...Object.keys(values),
]

/** Returns a function that reports whether a span bears these marks, apart from those of its scope. Cost: a look-up for each mark. */
function openSpanMarks({ spans = [], attributes = [], values = {} }: Marks) {
  const names = anyOf(...attributes)
  const valued = Object.entries(values).map(([name, value]) => ({ names: anyOf(name), value }))
  return (span: Span, given: Attributes): boolean =>
    spans.some((start) => span.name.startsWith(start)) ||
    has(given, names) ||
    valued.some((mark) => first(given, mark.names) === mark.value)
}

export type Recogniser = (span: Span, attributes: Attributes) => readonly string[]

/**
 * Returns a function that lists the names of the dialects whose marks a span bears. The result for each scope name is cached. Cost: a few
 * comparisons, and one look-up on a span that has none of the attributes.
 */
export function openRecogniser(dialects: readonly Dialect[]): Recogniser {
  const candidates = dialects.map(({ name, marks }) => ({ name, isMarked: openSpanMarks(marks) }))
  const anyAttribute = anyOf(...dialects.flatMap(({ marks }) => namesOfMarks(marks)))
  const starts = dialects.flatMap(({ marks }) => marks.spans ?? [])
  const byScope = new Map<string, readonly string[]>()
  const namesOfScope = (scope: string): readonly string[] => {
    const known = byScope.get(scope)
    if (known !== undefined) return known
    const names = dialects.filter(({ marks }) => hasScope(marks, scope)).map(({ name }) => name)
    if (byScope.size < maxScopes) byScope.set(scope, names)
    return names
  }
  return (span, attributes) => {
    const ofScope = namesOfScope(span.scope.name)
    if (!has(attributes, anyAttribute) && !starts.some((start) => span.name.startsWith(start))) return ofScope
    const more = candidates.filter(({ name, isMarked }) => !ofScope.includes(name) && isMarked(span, attributes))
    return more.length === 0 ? ofScope : [...ofScope, ...more.map(({ name }) => name)]
  }
}
