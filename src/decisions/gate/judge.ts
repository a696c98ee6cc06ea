// Floor 3. The verdict of the gate on what was counted.
import { compareTo, type Interval, intervalOf, type Sequence } from './confidence-sequence.ts'

export type Verdict = 'pass' | 'fail' | 'inconclusive'

export type GateBounds = Sequence & {
  /** No pass before so many trials were counted. */
  readonly minSamples: number
}

export type Counts = { readonly trials: number; readonly matches: number }

export const noCounts: Counts = { trials: 0, matches: 0 }

/**
 * `pass`: the rate is above the floor; `fail`: it is below it. Whoever asks after every trial is told a wrong pass at some time
 * with a probability of at most alpha, and so with a wrong fail. Under 1 µs.
 */
export function judge(bounds: GateBounds, { trials, matches }: Counts): Verdict {
  const stands = compareTo(bounds, trials, matches, bounds.floor)
  if (stands === 'below') return 'fail'
  return stands === 'above' && trials >= bounds.minSamples ? 'pass' : 'inconclusive'
}

export type Standing = Counts & Interval & { readonly rate: number | null; readonly verdict: Verdict }

/** The verdict with the numbers that it rests on. About 10 µs. */
export function describeStanding(bounds: GateBounds, counts: Counts): Standing {
  const { trials, matches } = counts
  const rate = trials === 0 ? null : matches / trials
  return { trials, matches, rate, ...intervalOf(bounds, trials, matches), verdict: judge(bounds, counts) }
}
