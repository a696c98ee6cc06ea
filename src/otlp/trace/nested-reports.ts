// Spans of different instrumentations that lie in one another and report one model call.
import type { Kind } from '../../event/event.ts'
import { type CallSpan, compareDetail, haveAlikeCounts } from './told-twice.ts'
import { fill, isWithin } from './trace-tree.ts'

/** What finding them needs of a span. */
export type NestedInput = CallSpan & { readonly kind: Kind }

/** `outer`: the nearest span of the same kind around `inner`. */
export type Nested = { readonly inner: number; readonly outer: number }

export const isWall = ({ kind }: Pick<NestedInput, 'kind'>): boolean => kind === 'tool' || kind === 'agent'

/**
 * Those of different scopes, in the order of the tree, each marked in `toldTwice`. What one scope nests is its own way to tell a call. No path
 * crosses a tool or an agent span.
 */
export function markNestedReports(
  spans: readonly NestedInput[],
  order: readonly number[],
  parents: readonly number[],
  kind: Kind,
  toldTwice: number[],
): readonly Nested[] {
  const nested: Nested[] = []
  const around = fill(spans.length, -1)
  for (const index of order) {
    const parent = parents[index] ?? -1
    const [span, above] = [spans[index], spans[parent]]
    if (span === undefined || above === undefined || isWall(above)) continue
    const nearest = above.kind === kind ? parent : (around[parent] ?? -1)
    around[index] = nearest
    const outer = spans[nearest]
    if (span.kind !== kind || outer === undefined) continue
    if (span.scopeName === null || outer.scopeName === null || span.scopeName === outer.scopeName) continue
    toldTwice[index] = 1
    toldTwice[nearest] = 1
    nested.push({ inner: index, outer: nearest })
  }
  return nested
}

/** Reports around a call that are looked at. */
const maxAround = 16

/**
 * Whether two spans without a common id are of two calls though they look like one: a span around one of them has the scope of the other, and
 * does not lie around that one too. It reports the call inside of it, and spans of one scope report two.
 */
export function makeApart(
  spans: readonly NestedInput[],
  nested: readonly Nested[],
  parents: readonly number[],
): (one: number, other: number) => boolean {
  if (nested.length === 0) return () => false
  const outerOf = new Map(nested.map(({ inner, outer }) => [inner, outer]))
  const isReportedByScopeOf = (one: number, other: number): boolean => {
    let outer = outerOf.get(one)
    for (let step = 0; outer !== undefined && step < maxAround; step++) {
      if (spans[outer]?.scopeName === spans[other]?.scopeName && !isWithin(parents, other, outer)) return true
      outer = outerOf.get(outer)
    }
    return false
  }
  return (one, other) => {
    const id = spans[one]?.responseId ?? null
    if (id !== null && id === spans[other]?.responseId) return false
    return isReportedByScopeOf(one, other) || isReportedByScopeOf(other, one)
  }
}

/**
 * By the place of a span that counts, that of the one around it which counts in its place, since it tells the same call in more detail: the
 * client of Bedrock knows nothing of the cache, the framework around it does. Of several calls in it, a span reports the oldest that is like
 * it. `callAt`: as found so far.
 */
export function findFinerAround(
  spans: readonly NestedInput[],
  nested: readonly Nested[],
  callAt: readonly number[],
  bySeniority: (a: number, b: number) => number,
): ReadonlyMap<number, number> {
  const at = (index: number): NestedInput => spans[index] as NestedInput
  /** By the place of a span around a call, that of the call that it reports. */
  const reportedAt = new Map<number, number>()
  // Children before parents.
  for (const { inner, outer } of nested.toReversed()) {
    const counting = callAt[inner] ?? -1
    const call = counting >= 0 ? counting : reportedAt.get(inner)
    if (call === undefined || !haveAlikeCounts(at(call), at(outer))) continue
    const known = reportedAt.get(outer)
    if (known === undefined || bySeniority(call, known) < 0) reportedAt.set(outer, call)
  }
  const finer = new Map<number, number>()
  for (const [outer, call] of reportedAt) {
    const known = finer.get(call)
    // Of two that tell as much, the innermost, which begins last.
    const isFiner = compareDetail(at(outer), at(known ?? call)) || (known === undefined ? 0 : bySeniority(known, outer))
    if (isFiner < 0) finer.set(call, outer)
  }
  return finer
}
