// Finds nested spans of different instrumentations that report the same model call.
import type { Kind } from '../event/event.ts'
import type { CallSpan } from './call-span.ts'
import { haveAlikeCounts, haveNearCounts } from './told-twice.ts'
import { fill, isWithin } from './trace-tree.ts'
import { compareDetail } from './usage-detail.ts'

/** `outer`: the nearest span of the same kind around `inner`. */
export type Nested = { readonly inner: number; readonly outer: number }

/** Calls inside a tool or agent span are not the calls around it. */
export const isCallBoundary = ({ kind }: Pick<CallSpan, 'kind'>): boolean => kind === 'tool' || kind === 'agent'

/** Returns the nearest span around each span that `isOne` accepts; -1 where there is none, or a tool or agent span lies between the two. */
export function findNearestAround<Span extends Pick<CallSpan, 'kind'>>(
  spans: readonly Span[],
  order: readonly number[],
  parents: readonly number[],
  isOne: (span: Span) => boolean,
): readonly number[] {
  const around = fill(spans.length, -1)
  for (const index of order) {
    const parent = parents[index] ?? -1
    const above = spans[parent]
    if (above === undefined || isCallBoundary(above)) continue
    around[index] = isOne(above) ? parent : (around[parent] ?? -1)
  }
  return around
}

/**
 * Returns the pairs of nested spans of one kind and of different scopes, in the order of the tree, and marks both spans in `toldTwice`.
 * Nested spans of the same scope are not paired: that is how this instrumentation reports a call. `around`: see `findNearestAround`;
 * `separate`: spans that report none of the calls inside them.
 */
export function markNestedReports(
  spans: readonly CallSpan[],
  order: readonly number[],
  around: readonly number[],
  kind: Kind,
  separate: ReadonlySet<number>,
  toldTwice: number[],
): readonly Nested[] {
  const nested: Nested[] = []
  for (const index of order) {
    const nearest = around[index] ?? -1
    const [span, outer] = [spans[index], spans[nearest]]
    if (span?.kind !== kind || outer === undefined || separate.has(nearest)) continue
    if (span.scopeName === null || outer.scopeName === null || span.scopeName === outer.scopeName) continue
    toldTwice[index] = 1
    toldTwice[nearest] = 1
    nested.push({ inner: index, outer: nearest })
  }
  return nested
}

/** The most reports around a call that are examined. */
const maxAround = 16

/**
 * Returns a function that reports whether two spans without a common response id are two calls although they look like one. They are two if
 * a span around the first has the scope of the second and does not enclose the second as well: the outer span reports the first call, and
 * two spans of one scope report two calls.
 */
export function makeApart(
  spans: readonly CallSpan[],
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

const isSameCall = (one: CallSpan, other: CallSpan): boolean =>
  one.responseId !== null && one.responseId === other.responseId
    ? haveNearCounts(one, other)
    : haveAlikeCounts(one, other)

/**
 * Returns, by the index of a span that counts, the index of the span around it that counts in its place because it reports the same call in
 * more detail. Examples: the client of Bedrock does not report cached tokens, but the framework around it does; a server reports its answer
 * under the id that the client knows, but without the model. A span around several calls is taken as a report of the oldest one whose counts
 * agree with its own, and whose model or response id does. `callAt`: the calls found so far.
 */
export function findFinerAround(
  spans: readonly CallSpan[],
  nested: readonly Nested[],
  callAt: readonly number[],
  bySeniority: (a: number, b: number) => number,
): ReadonlyMap<number, number> {
  const at = (index: number): CallSpan => spans[index] as CallSpan
  /** By the index of a span around a call, the index of the call that it reports. */
  const reportedAt = new Map<number, number>()
  // Children before parents.
  for (const { inner, outer } of nested.toReversed()) {
    const counting = callAt[inner] ?? -1
    const call = counting >= 0 ? counting : reportedAt.get(inner)
    if (call === undefined || !isSameCall(at(call), at(outer))) continue
    const known = reportedAt.get(outer)
    if (known === undefined || bySeniority(call, known) < 0) reportedAt.set(outer, call)
  }
  const finer = new Map<number, number>()
  for (const [outer, call] of reportedAt) {
    const known = finer.get(call)
    // If two outer spans are equally detailed, the innermost one, which begins last, is chosen.
    const isFiner = compareDetail(at(outer), at(known ?? call)) || (known === undefined ? 0 : bySeniority(known, outer))
    if (isFiner < 0) finer.set(call, outer)
  }
  return finer
}
