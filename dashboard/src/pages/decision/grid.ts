// Converts the points of the evidence to series on one time axis, as the charts need them.
import type { Schemas } from '../../api/client.ts'
import type { Series } from '../../charts/index.ts'
import type { Transition } from '../../decisions/score.ts'
import { nameAge } from '../../decisions/wording.ts'

export type RungEvidence = Schemas['DecisionMeasurements']['rungs'][number]
export type EvidencePoint = RungEvidence['points'][number]

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const steps = [
  10 * secondMs,
  30 * secondMs,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
  3 * hourMs,
  6 * hourMs,
  24 * hourMs,
] as const
const mostBuckets = 240

export type Grid = { readonly x: readonly number[]; readonly intervalMs: number }

/** Returns buckets from the first moment to the last; no buckets if there are no moments. */
export function makeGrid(moments: readonly number[]): Grid {
  if (moments.length === 0) return { x: [], intervalMs: steps[0] }
  const [first, last] = [Math.min(...moments), Math.max(...moments)]
  const usual = steps.find((step) => (last - first) / step < mostBuckets) ?? 24 * hourMs
  const intervalMs = Math.max(usual, Math.ceil((last - first) / mostBuckets / usual) * usual)
  const startMs = Math.floor(first / intervalMs) * intervalMs
  const count = Math.floor((last - startMs) / intervalMs) + 1
  return { x: Array.from({ length: count }, (_, at) => startMs + at * intervalMs), intervalMs }
}

const bucketOf = ({ x, intervalMs }: Grid, time: string): number =>
  Math.floor((Date.parse(time) - (x[0] ?? 0)) / intervalMs)

/** Returns the evidence at the end of each bucket. A bucket without points keeps the previous value. Null before the first point. */
export function listEvidence(points: readonly EvidencePoint[], grid: Grid): (number | null)[] {
  const values: (number | null)[] = grid.x.map(() => null)
  for (const { time, evidence } of points) values[bucketOf(grid, time)] = evidence
  let last: number | null = null
  return values.slice(0, grid.x.length).map((value) => {
    last = value ?? last
    return last
  })
}

/** Returns the share of wrong trials of each bucket; null if the bucket has no trials. After a breach, the counts restart at zero. */
export function listWrongShares(points: readonly EvidencePoint[], grid: Grid): (number | null)[] {
  const sums = grid.x.map(() => ({ trials: 0, wrong: 0 }))
  let before = { trials: 0, wrong: 0 }
  for (const { time, trials, wrong } of points) {
    if (trials < before.trials) before = { trials: 0, wrong: 0 }
    const sum = sums[bucketOf(grid, time)]
    if (sum !== undefined) {
      sum.trials += trials - before.trials
      sum.wrong += wrong - before.wrong
    }
    before = { trials, wrong }
  }
  return sums.map(({ trials, wrong }) => (trials === 0 ? null : wrong / trials))
}

const slots = [1, 2, 3, 4, 5, 6] as const

/** Returns one line for each age limit that has evidence. */
export function makeLines(rungs: readonly RungEvidence[], grid: Grid): Series[] {
  return rungs
    .filter(({ points }) => points.length > 0)
    .map((rung, at) => ({
      key: `${rung.freshness_s} ${rung.forced}`,
      label: nameRung(rung),
      slot: rung.forced ? 0 : (slots[at % slots.length] ?? 0),
      values: listEvidence(rung.points, grid),
    }))
}

export const nameRung = ({ freshness_s: age, forced }: Pick<RungEvidence, 'freshness_s' | 'forced'>): string =>
  age === null ? 'Evidence' : `up to ${nameAge(age)}${forced ? ', by force' : ''}`

export type Moment = { readonly ms: number; readonly what: string; readonly move: Transition }

/** Returns the events of the rule that the charts mark: changes of its state, and steps up and down of the age limit that it serves. `trail`: oldest first. */
export const listMoments = (trail: readonly Transition[]): readonly Moment[] =>
  trail.flatMap((move) => {
    const { from_state: from, to_state: to, at } = move
    if (from === null) return []
    return [{ ms: Date.parse(at), what: from === to ? describeStep(move.reason) : to, move }]
  })

export type NumberedMark = { readonly ms: number; readonly label: string }

// The most numbers that fit next to each other without touching.
const mostMarks = 32

/** Labels the moments with their numbers in the list below the charts. Moments whose marks would overlap share one: `1–3`. */
export function numberMoments(moments: readonly Pick<Moment, 'ms'>[], { x, intervalMs }: Grid): NumberedMark[] {
  const placeMs = (x.length * intervalMs) / mostMarks
  const marks: { ms: number; first: number; last: number }[] = []
  for (const [at, { ms }] of moments.entries()) {
    const before = marks.at(-1)
    if (before !== undefined && ms - before.ms < placeMs) before.last = at + 1
    else marks.push({ ms, first: at + 1, last: at + 1 })
  }
  return marks.map(({ ms, first, last }) => ({ ms, label: first === last ? String(first) : `${first}–${last}` }))
}

const describeStep = (reason: string | null): string =>
  reason?.startsWith('proven') === true ? 'step up' : 'step down'
