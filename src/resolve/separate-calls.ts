// Finds model calls during which another call was made: code that reads the stream of a call may call another model meanwhile.
import { isSameModel } from './same-model.ts'
import { areCountsApart, type CallSpan } from './told-twice.ts'

type NestedCall = CallSpan & { readonly hasUsage: boolean }

/** The most spans around a call that are examined. */
const maxAround = 16

/** What is known of a span from the calls inside it. */
type Inside = { isSeparate: boolean; inputTokens: number; outputTokens: number }

/**
 * Returns the model calls that contain other calls and report none of them. All of this must hold for a span and each call inside it: they
 * are of different scopes, name different models, share no response id, and neither their input nor their output counts nearly agree. The
 * counts of the span must not be the sums of those inside it either. `around`: for each span, the nearest call around it, or -1.
 * `isInnermost`: whether a span with usage has none inside it. Cost: O(n).
 */
export function findSeparateCalls(
  spans: readonly NestedCall[],
  around: readonly number[],
  isInnermost: (index: number) => boolean,
): ReadonlySet<number> {
  const known = new Map<number, Inside>()
  for (let index = 0; index < spans.length; index++) {
    const inner = spans[index] as NestedCall
    if (inner.kind !== 'llm' || !inner.hasUsage) continue
    let place = around[index] ?? -1
    for (let step = 0; place >= 0 && step < maxAround; step++) {
      const inside = known.get(place) ?? { isSeparate: true, inputTokens: 0, outputTokens: 0 }
      known.set(place, inside)
      inside.isSeparate &&= areSeparate(spans[place] as NestedCall, inner)
      if (isInnermost(index)) {
        inside.inputTokens += inner.inputTokens ?? 0
        inside.outputTokens += inner.outputTokens ?? 0
      }
      place = around[place] ?? -1
    }
  }
  return new Set(
    known.entries().flatMap(([place, { isSeparate, ...sums }]) => {
      const outer = spans[place] as NestedCall
      return isSeparate && areCountsApart(outer, { ...outer, ...sums }) ? [place] : []
    }),
  )
}

function areSeparate(outer: CallSpan, inner: CallSpan): boolean {
  if (outer.scopeName === null || inner.scopeName === null || outer.scopeName === inner.scopeName) return false
  if (outer.responseId !== null && outer.responseId === inner.responseId) return false
  return isSameModel(outer, inner) === false && areCountsApart(outer, inner)
}
