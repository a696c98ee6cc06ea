// Which stretches of a window each tier can tell of.
import { ceilTo, floorTo, lengthMs, type Tier, tiers } from './tiers.ts'

/** Half-open, in Unix milliseconds. */
export type Span = { readonly fromMs: number; readonly toMs: number }

/** The parts of a window between cuts, in order. */
export function cutUp(window: Span, cutsMs: readonly number[]): Span[] {
  const inside = cutsMs.filter((ms) => ms > window.fromMs && ms < window.toMs)
  const ends = [...inside, window.toMs]
  return ends.map((toMs, at) => ({ fromMs: at === 0 ? window.fromMs : (ends[at - 1] as number), toMs }))
}

/** What of the parts is whole lengths of a tier; neighbours become one. */
export function listWhole(parts: readonly Span[], tier: Tier): Span[] {
  const whole: Span[] = []
  let fromMs = Number.NaN
  let toMs = Number.NaN
  for (const part of parts) {
    const start = ceilTo(part.fromMs, tier)
    const end = floorTo(part.toMs, tier)
    if (start >= end) continue
    if (start !== toMs) {
      if (fromMs < toMs) whole.push({ fromMs, toMs })
      fromMs = start
    }
    toMs = end
  }
  if (fromMs < toMs) whole.push({ fromMs, toMs })
  return whole
}

/** What of the parts is no whole minute: at most two pieces each, none of which reaches into another minute. */
export function listEdges(parts: readonly Span[]): Span[] {
  return parts.flatMap((part) => {
    const fromMs = ceilTo(part.fromMs, tiers.minute)
    const toMs = floorTo(part.toMs, tiers.minute)
    if (fromMs > toMs) return [part]
    const edges = [
      { fromMs: part.fromMs, toMs: fromMs },
      { fromMs: toMs, toMs: part.toMs },
    ]
    return edges.filter((edge) => edge.fromMs < edge.toMs)
  })
}

/** The starts of a tier in spans of its whole lengths. */
export const startsIn = (spans: readonly Span[], tier: Tier): number[] =>
  spans.flatMap(({ fromMs, toMs }) =>
    Array.from({ length: (toMs - fromMs) / lengthMs[tier] }, (_, nth) => fromMs + nth * lengthMs[tier]),
  )

/** What is left of spans in order without the pieces of one tier that start at `startsMs`. */
export function subtract(spans: readonly Span[], startsMs: Iterable<number>, tier: Tier): Span[] {
  const sorted = [...startsMs].sort((a, b) => a - b)
  const left: Span[] = []
  let at = 0
  for (const span of spans) {
    let { fromMs } = span
    for (let start = sorted[at]; start !== undefined && start < span.toMs; start = sorted[at]) {
      if (start > fromMs) left.push({ fromMs, toMs: start })
      if (start + lengthMs[tier] > fromMs) fromMs = start + lengthMs[tier]
      at += 1
    }
    if (fromMs < span.toMs) left.push({ fromMs, toMs: span.toMs })
  }
  return left
}
