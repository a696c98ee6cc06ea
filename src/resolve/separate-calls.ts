// Finds model calls during which another call was made: code that reads the stream of a call may call another model meanwhile.

import type { CallSpan } from './call-span.ts'
import { isSameModel } from './same-model.ts'
import { areCountsApart } from './told-twice.ts'

type NestedCall = CallSpan & { readonly hasUsage: boolean }

/** The most spans around a call that are examined. */
const maxAround = 16

/** A span around the report of a gateway lasts only a little longer than it. */
const mostShare = 0.5

/**
 * Returns the model calls that contain other calls and report none of them. All of this must hold for a span and each call with usage inside
 * it: they are of different scopes, name different models, the span has a response id of its own, neither their input nor their output counts
 * nearly agree, and the call took less than half of the time of the span. `around`: for each span, the nearest call around it, or -1. Cost:
 * O(n).
 */
export function findSeparateCalls(spans: readonly NestedCall[], around: readonly number[]): ReadonlySet<number> {
  const verdicts = new Map<number, boolean>()
  for (let index = 0; index < spans.length; index++) {
    const inner = spans[index] as NestedCall
    if (inner.kind !== 'llm' || !inner.hasUsage) continue
    let place = around[index] ?? -1
    for (let step = 0; place >= 0 && step < maxAround; step++) {
      if (verdicts.get(place) !== false) verdicts.set(place, isSeparate(spans[place] as NestedCall, inner))
      place = around[place] ?? -1
    }
  }
  return new Set(verdicts.keys().filter((place) => verdicts.get(place) === true))
}

/** Frameworks that sum up several calls in a span give it no response id, or that of one of them. */
const isSeparate = (outer: CallSpan, inner: CallSpan): boolean =>
  outer.scopeName !== null &&
  inner.scopeName !== null &&
  outer.scopeName !== inner.scopeName &&
  outer.responseId !== null &&
  outer.responseId !== inner.responseId &&
  isSameModel(outer, inner) === false &&
  areCountsApart(outer, inner) &&
  inner.endTimeUs - inner.startTimeUs < (outer.endTimeUs - outer.startTimeUs) * mostShare
