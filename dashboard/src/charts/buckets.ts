// Buckets of a chart: which bucket contains a moment, and which window a drag selects.
import { startOfDay } from '../format/index.ts'

/** The window that a selection sets: `from` is included, `to` is not. */
export type Bounds = { readonly from: string; readonly to: string }

/** Returns the index of the last bucket that starts at or before a moment; the first one if all start later; null without buckets. */
export function findBucket(starts: readonly number[], ms: number): number | null {
  if (starts.length === 0) return null
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= ms) low = middle
    else high = middle - 1
  }
  return low
}

const dayMs = 86_400_000

/** Returns the end of a bucket. A day in the page's zone can be 23 or 25 hours long, so it ends where the next one starts. */
export function findEnd(starts: readonly number[], at: number, intervalMs: number, zone: string): number {
  const next = starts[at + 1]
  if (next !== undefined) return next
  const start = starts[at] ?? 0
  const isDayOfZone = intervalMs === dayMs && startOfDay(start, zone) === start
  return isDayOfZone ? startOfDay(start, zone, 1) : start + intervalMs
}

/**
 * Returns the start of the first bucket and of the last one where the window includes only a part of them. Such values are low, and would
 * look like a rise at the beginning and a drop at the end.
 */
export function findCut(starts: readonly number[], intervalMs: number, zone: string, { from, to }: Bounds): number[] {
  const [first, last] = [starts[0], starts.at(-1)]
  if (first === undefined || last === undefined) return []
  const isLastCut = findEnd(starts, starts.length - 1, intervalMs, zone) > Date.parse(to)
  return [...(first < Date.parse(from) ? [first] : []), ...(isLastCut ? [last] : [])]
}

/** Returns the window of the whole buckets between two moments, given in either order; null without buckets. */
export function selectBuckets(
  starts: readonly number[],
  intervalMs: number,
  zone: string,
  [one, other]: readonly [number, number],
): Bounds | null {
  const first = findBucket(starts, Math.min(one, other))
  const last = findBucket(starts, Math.max(one, other))
  if (first === null || last === null) return null
  const [fromMs, toMs] = [starts[first] ?? 0, findEnd(starts, last, intervalMs, zone)]
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
}

const pageLength = 10

/** Returns the index to which a key moves the cursor; null for any other key. Without a cursor, steps start at the last bucket. */
export function moveCursor(key: string, at: number | null, count: number): number | null {
  if (count === 0) return null
  const last = count - 1
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    PageUp: -pageLength,
    PageDown: pageLength,
  }
  if (key === 'Home') return 0
  if (key === 'End') return last
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined
  if (step === undefined) return null
  return at === null ? last : Math.min(last, Math.max(0, at + step))
}
