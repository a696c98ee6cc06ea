// Names the dialect of a span, for the health of telemetry.
import { anyOf } from '../../event/names.ts'
import type { Attributes, Span } from '../../event/span.ts'
import { among, has } from '../attribute.ts'
import type { Dialect } from './definition.ts'
import { hasScope } from './marks.ts'

/** Returns the name of the dialect; null where the span bears no marks. */
export type Namer = (span: Span, attributes: Attributes) => string | null

// The most scope names that are cached: more than any sender has.
const maxScopes = 1_000

/**
 * Returns a function that names the first dialect whose marks a span bears: those of its scope, else of its name, else its attributes.
 * `standard`: the dialects that others extend, and that therefore come last. Cost: two look-ups if a span of this scope or with these keys
 * was named before.
 */
export function openNamer(dialects: readonly Dialect[], standard: readonly string[]): Namer {
  const isStandard = ({ name }: Pick<Dialect, 'name'>): boolean => standard.includes(name)
  const inOrder = [...dialects.filter((dialect) => !isStandard(dialect)), ...dialects.filter(isStandard)]
  const starts = inOrder.flatMap(({ name, marks }) => (marks.spans ?? []).map((start) => ({ name, start })))
  const named = inOrder.map(({ name, marks }) => ({ name, names: anyOf(...(marks.attributes ?? [])) }))
  const ofStandard = named.filter(isStandard)
  const all = anyOf(...named.flatMap(({ names }) => names.all))
  const beyondStandard = anyOf(...named.filter((one) => !isStandard(one)).flatMap(({ names }) => names.all))
  const ofScopes = new Map<string, string | null>()
  // The key is the list of present names, which is the same object for all spans with the same keys.
  const ofKeys = new WeakMap<readonly (string | number)[], string | null>()

  function nameScope(scope: string): string | null {
    const known = ofScopes.get(scope)
    if (known !== undefined) return known
    const found = inOrder.find(({ marks }) => hasScope(marks, scope))?.name ?? null
    if (ofScopes.size < maxScopes) ofScopes.set(scope, found)
    return found
  }

  function nameKeys(attributes: Attributes): string | null {
    const present = among(attributes, all)
    const known = ofKeys.get(present)
    if (known !== undefined) return known
    const candidates = has(attributes, beyondStandard) ? named : ofStandard
    const found = candidates.find(({ names }) => has(attributes, names))?.name ?? null
    // For attributes without `among`, `present` is the list of all names.
    if (present !== all.all) ofKeys.set(present, found)
    return found
  }

  return (span, attributes) =>
    nameScope(span.scope.name) ?? starts.find(({ start }) => span.name.startsWith(start))?.name ?? nameKeys(attributes)
}
