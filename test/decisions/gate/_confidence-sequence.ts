// The range of the true match rate, valid at any number of looks: a confidence sequence for a coin (beta-binomial mixture; Robbins 1970,
// Howard et al. 2021).
//
// If p is the true rate, the likelihood of the trials under a mixture of rates, divided by that under p, is a martingale that begins at 1;
// by Ville's inequality it ever reaches 1/alpha with a probability of at most alpha. The interval holds every p for which it has not. So
// all intervals of a sequence hold the true rate together with a probability of at least 1 - alpha.
import { logBeta } from './_log-gamma.ts'

export type Sequence = {
  /** The rate around which the sequence is sharpest. */
  readonly floor: number
  /** Probability with which any of the intervals misses the true rate; in (0, 1). */
  readonly alpha: number
}

/** The rates that are still possible, both ends included; in [0, 1]. */
export type Interval = { readonly lower: number; readonly upper: number }

// The prior counts half a miss: for rates near 1, where rules live, no prior that also rejects bad rates learns faster.
const priorMisses = 0.5
const leastPriorMatches = 0.5
const maxFloor = 0.999_999

/** Parameters of the mixture: its mean is the floor, or 1/2 where the floor is lower. They must be fixed before the first trial. */
function priorOf({ floor }: Sequence): { readonly a: number; readonly b: number } {
  const mean = Math.min(floor, maxFloor)
  return { a: Math.max(leastPriorMatches, (priorMisses * mean) / (1 - mean)), b: priorMisses }
}

/** ln of the likelihood under the mixture, for one order of the trials. */
function logMixture(sequence: Sequence, trials: number, matches: number): number {
  const { a, b } = priorOf(sequence)
  return logBeta(a + matches, b + trials - matches) - logBeta(a, b)
}

/** ln of the likelihood under the rate p in (0, 1). */
const logLikelihood = (p: number, trials: number, matches: number): number =>
  matches * Math.log(p) + (trials - matches) * Math.log1p(-p)

/** Returns ln of the martingale of the rate p in (0, 1) after `trials` trials: 0 before the first. Under 1 µs. */
export const logMartingale = (sequence: Sequence, trials: number, matches: number, p: number): number =>
  logMixture(sequence, trials, matches) - logLikelihood(p, trials, matches)

/** Returns the interval after `trials` trials. It always holds the share of matches; [0, 1] before the first trial. About 10 µs. */
export function intervalOf(sequence: Sequence, trials: number, matches: number): Interval {
  if (trials === 0) return { lower: 0, upper: 1 }
  // Rates with a likelihood below this bound are excluded.
  const bound = logMixture(sequence, trials, matches) + Math.log(sequence.alpha)
  if (matches === 0) return { lower: 0, upper: -Math.expm1(bound / trials) }
  if (matches === trials) return { lower: Math.exp(bound / trials), upper: 1 }
  const isOut = (p: number): boolean => logLikelihood(p, trials, matches) < bound
  const share = matches / trials
  return { lower: bisect(0, share, isOut), upper: bisect(1, share, isOut) }
}

/**
 * Returns whether the interval lies wholly above a rate in [0, 1], wholly below it, or around it. Same result as from `intervalOf`, without
 * computing the ends: under 1 µs.
 */
export function compareTo(
  sequence: Sequence,
  trials: number,
  matches: number,
  p: number,
): 'above' | 'below' | 'around' {
  if (trials === 0) return 'around'
  // At 0 and 1, one match or miss refutes the rate for good; no interval lies above 1 or below 0.
  if (p <= 0) return matches > 0 ? 'above' : 'around'
  if (p >= 1) return matches < trials ? 'below' : 'around'
  if (logMartingale(sequence, trials, matches, p) <= -Math.log(sequence.alpha)) return 'around'
  return matches / trials > p ? 'above' : 'below'
}

/** Returns the end of the interval between an excluded rate and an included one, to the last bit of a double. */
function bisect(out: number, inside: number, isOut: (p: number) => boolean): number {
  let [outer, inner] = [out, inside]
  for (;;) {
    const middle = (outer + inner) / 2
    if (middle === outer || middle === inner) return inner
    if (isOut(middle)) outer = middle
    else inner = middle
  }
}
