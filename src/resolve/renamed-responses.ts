// Finds calls of a gateway that gave the response an id of its own.

import type { CallSpan } from './call-span.ts'
import { isCallBoundary } from './nested-reports.ts'
import { haveAlikeCounts } from './told-twice.ts'

/** The most spans around a call that are examined. */
const maxAround = 16

/**
 * Returns the spans that count, `innermost`, but in place of a span the nearest one of its kind around it if that one reports the same call,
 * in the same scope, under another response id. A gateway reports the request that it receives around the one that it sends. It gives the
 * response a new id, which is the one that its client reports.
 */
export function countRenamed(
  spans: readonly CallSpan[],
  innermost: readonly number[],
  parents: readonly number[],
): readonly number[] {
  const taken = new Set<number>()
  return innermost.map((index) => {
    const place = findAround(spans, index, parents)
    if (place < 0 || taken.has(place) || !isRenamed(spans[index] as CallSpan, spans[place] as CallSpan)) return index
    taken.add(place)
    return place
  })
}

const isRenamed = (inner: CallSpan, outer: CallSpan): boolean =>
  inner.responseId !== null &&
  outer.responseId !== null &&
  outer.responseId !== inner.responseId &&
  outer.scopeName !== null &&
  outer.scopeName === inner.scopeName &&
  haveAlikeCounts(inner, outer)

/** Returns the index of the nearest span of the same kind around a span; -1 where there is none. */
function findAround(spans: readonly CallSpan[], index: number, parents: readonly number[]): number {
  let at = parents[index] ?? -1
  for (let step = 0; at >= 0 && step < maxAround; step++) {
    const around = spans[at] as CallSpan
    if (around.kind === spans[index]?.kind) return at
    if (isCallBoundary(around)) return -1
    at = parents[at] ?? -1
  }
  return -1
}
