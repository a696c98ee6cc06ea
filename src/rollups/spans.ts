// Splits a window into the spans that each tier can cover.
import { ceilTo, floorTo, lengthMs, type Tier, tiers } from './tiers.ts'

/** Half-open, in Unix milliseconds. */
export type TimeSpan = { readonly fromMs: number; readonly toMs: number }

/** Returns the parts of a window between cuts, in order. */
export function cutUp(window: TimeSpan, cutsMs: readonly number[]): TimeSpan[] {
  const inside = cutsMs.filter((ms) => ms > window.fromMs && ms < window.toMs)
  const ends = [...inside, window.toMs]
  return ends.map((toMs, at) => ({ fromMs: at === 0 ? window.fromMs : (ends[at - 1] as number), toMs }))
}

/** Returns the whole lengths of a tier within the parts; adjacent ones are joined. */
export function listWhole(parts: readonly TimeSpan[], tier: Tier): TimeSpan[] {
  const whole: TimeSpan[] = []
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

/** Returns the pieces of the parts that are no whole minutes: at most two per part, each within one minute. */
export function listEdges(parts: readonly TimeSpan[]): TimeSpan[] {
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

/** Returns the starts of the rows of a tier in spans that are whole lengths of it. */
export const startsIn = (spans: readonly TimeSpan[], tier: Tier): number[] =>
  spans.flatMap(({ fromMs, toMs }) =>
    Array.from({ length: (toMs - fromMs) / lengthMs[tier] }, (_, nth) => fromMs + nth * lengthMs[tier]),
  )

/** Removes the rows of one tier that start at `startsMs` from spans in order, and returns what is left. */
export function subtract(spans: readonly TimeSpan[], startsMs: Iterable<number>, tier: Tier): TimeSpan[] {
  const sorted = [...startsMs].sort((a, b) => a - b)
  const left: TimeSpan[] = []
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
