// The verdict of the gate on counted trials.
import { compareTo, type Sequence } from './_confidence-sequence.ts'

export type Verdict = 'pass' | 'fail' | 'inconclusive'

export type GateBounds = Sequence & {
  /** No pass before this many trials. */
  readonly minSamples: number
}

export type Counts = { readonly trials: number; readonly matches: number }

/**
 * `pass`: the rate is above the floor; `fail`: it is below it. A caller that asks after every trial ever gets a wrong pass with a
 * probability of at most alpha, and likewise a wrong fail. Under 1 µs.
 */
export function judge(bounds: GateBounds, { trials, matches }: Counts): Verdict {
  const stands = compareTo(bounds, trials, matches, bounds.floor)
  if (stands === 'below') return 'fail'
  return stands === 'above' && trials >= bounds.minSamples ? 'pass' : 'inconclusive'
}
