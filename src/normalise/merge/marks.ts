// Floor 1. Which dialects a span bears the marks of.
import { anyOf } from '../../otlp/names.ts'
import type { Attributes, Span } from '../../otlp/span.ts'
import { first, has } from '../attribute.ts'
import type { Dialect, Marks } from './definition.ts'

function isScope(pattern: string, scope: string): boolean {
  if (pattern.startsWith('*')) return scope.includes(pattern.slice(1, -1))
  return pattern.endsWith('*') ? scope.startsWith(pattern.slice(0, -1)) : scope === pattern
}

const hasScope = ({ scopes = [] }: Marks, scope: string): boolean => scopes.some((pattern) => isScope(pattern, scope))

/** Whether a span bears these marks, apart from those of its scope. Cost: a look-up for each mark. */
function openSpanMarks({ spans = [], attributes = [], values = {} }: Marks) {
  const names = attributes.length === 0 ? null : anyOf(...attributes)
  const valued = Object.entries(values).map(([name, value]) => ({ names: anyOf(name), value }))
  return (span: Span, given: Attributes): boolean =>
    spans.some((start) => span.name.startsWith(start)) ||
    (names !== null && has(given, names)) ||
    valued.some((mark) => first(given, mark.names) === mark.value)
}

export type Recogniser = (span: Span, attributes: Attributes) => readonly string[]

/**
 * The names of those of the dialects whose marks a span bears. Spans of one scope come together, so that its name is looked at once.
 * Cost: a comparison, and a look-up for each mark that is none of a scope.
 */
export function openRecogniser(dialects: readonly Dialect[]): Recogniser {
  const candidates = dialects.map(({ name, marks }) => ({ name, marks, isMarked: openSpanMarks(marks) }))
  const onSpans = candidates.filter(({ marks }) => marks.spans ?? marks.attributes ?? marks.values)
  let scope: string | undefined
  let ofScope: readonly string[] = []
  return (span, attributes) => {
    if (span.scope.name !== scope) {
      scope = span.scope.name
      ofScope = candidates.filter(({ marks }) => hasScope(marks, span.scope.name)).map(({ name }) => name)
    }
    const more = onSpans.filter(({ name, isMarked }) => !ofScope.includes(name) && isMarked(span, attributes))
    return more.length === 0 ? ofScope : [...ofScope, ...more.map(({ name }) => name)]
  }
}

/** The dialect whose names a span uses; null where it bears no marks. */
export type Namer = (span: Span, attributes: Attributes) => string | null

/**
 * The first of the dialects whose marks a span bears, those of its scope or others. Those of the standard come last: other dialects add
 * names of their own to it. Cost: a look-up for each dialect, one in all for a span that bears marks of the standard alone.
 */
export function openNamer(dialects: readonly Dialect[], standard: readonly string[]): Namer {
  const isStandard = ({ name }: Pick<Dialect, 'name'>): boolean => standard.includes(name)
  const inOrder = [...dialects.filter((dialect) => !isStandard(dialect)), ...dialects.filter(isStandard)]
  const named = inOrder.map(({ name, marks }) => ({ name, marks, names: anyOf(...(marks.attributes ?? [])) }))
  const ofStandard = named.filter(isStandard)
  const all = anyOf(...named.flatMap(({ names }) => names.all))
  const beyondStandard = anyOf(...named.filter((dialect) => !isStandard(dialect)).flatMap(({ names }) => names.all))
  const bySpans = named.filter(({ marks }) => marks.spans !== undefined)
  const isStart = (name: string, { spans = [] }: Marks): boolean => spans.some((start) => name.startsWith(start))
  const ofScopes = new Map<string, string | null>()
  const nameScope = (scope: string): string | null => {
    const known = ofScopes.get(scope)
    if (known !== undefined) return known
    const found = inOrder.find(({ marks }) => hasScope(marks, scope))?.name ?? null
    if (ofScopes.size < maxScopes) ofScopes.set(scope, found)
    return found
  }
  return (span, attributes) => {
    const ofScope = nameScope(span.scope.name)
    if (ofScope !== null) return ofScope
    const bySpan = bySpans.find(({ marks }) => isStart(span.name, marks))
    if (bySpan !== undefined) return bySpan.name
    if (!has(attributes, all)) return null
    const candidates = has(attributes, beyondStandard) ? named : ofStandard
    return candidates.find(({ names }) => has(attributes, names))?.name ?? null
  }
}

// More than any sender has.
const maxScopes = 1_000
