// The verdict of the gate on what was counted.
import { compareTo, type Sequence } from './_confidence-sequence.ts'

export type Verdict = 'pass' | 'fail' | 'inconclusive'

export type GateBounds = Sequence & {
  /** No pass before so many trials were counted. */
  readonly minSamples: number
}

export type Counts = { readonly trials: number; readonly matches: number }

/**
 * `pass`: the rate is above the floor; `fail`: it is below it. Whoever asks after every trial is told a wrong pass at some time
 * with a probability of at most alpha, and so with a wrong fail. Under 1 µs.
 */
export function judge(bounds: GateBounds, { trials, matches }: Counts): Verdict {
  const stands = compareTo(bounds, trials, matches, bounds.floor)
  if (stands === 'below') return 'fail'
  return stands === 'above' && trials >= bounds.minSamples ? 'pass' : 'inconclusive'
}
