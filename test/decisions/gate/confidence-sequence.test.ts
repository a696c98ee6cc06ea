import test from 'ava'
import fc from 'fast-check'
import { seed } from '../../_kit/soak.ts'
import { compareTo, intervalOf, logMartingale, type Sequence } from './_confidence-sequence.ts'
import { logGamma } from './_log-gamma.ts'

const usual: Sequence = { floor: 0.95, alpha: 0.05 }
const sequences = fc.record({
  floor: fc.double({ min: 0, max: 1, noNaN: true }),
  alpha: fc.double({ min: 1e-6, max: 0.5, noNaN: true }),
})
const counts = fc
  .integer({ min: 1, max: 100_000 })
  .chain((trials) => fc.tuple(fc.constant(trials), fc.integer({ min: 0, max: trials })))

const near = (a: number, b: number, relative: number): boolean => Math.abs(a - b) <= relative * Math.max(1, Math.abs(b))

test('ln Γ is that of the factorials, of a half, and of small and large arguments', (t) => {
  let logFactorial = 0
  for (let n = 1; n <= 170; n += 1) {
    t.true(near(logGamma(n), logFactorial, 1e-14), `${n}`)
    logFactorial += Math.log(n)
  }
  t.true(near(logGamma(0.5), 0.5 * Math.log(Math.PI), 1e-13))
  t.true(near(logGamma(1e-8), 18.4206807381802, 1e-13))
  t.true(near(logGamma(1e6), 12_815_504.569147611, 1e-14))
})

test('ln Γ(x + 1) - ln Γ(x) is ln x for every x', (t) => {
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 1e7, noNaN: true }), (x) =>
      near(logGamma(x + 1) - logGamma(x), Math.log(x), 1e-15 * Math.abs(logGamma(x)) + 1e-13),
    ),
    { seed },
  )
  t.pass()
})

test('the martingale begins at 1 and is fair: its expected next value is its current value', (t) => {
  const rates = fc.double({ min: 0.001, max: 0.999, noNaN: true })
  t.is(logMartingale(usual, 0, 0, 0.5), 0)
  fc.assert(
    fc.property(sequences, counts, rates, (sequence, [trials, matches], p) => {
      const now = logMartingale(sequence, trials, matches, p)
      const match = logMartingale(sequence, trials + 1, matches + 1, p)
      const miss = logMartingale(sequence, trials + 1, matches, p)
      return near(p * Math.exp(match - now) + (1 - p) * Math.exp(miss - now), 1, 1e-7)
    }),
    { seed },
  )
})

test('an interval contains the share of matches and lies within 0 and 1', (t) => {
  fc.assert(
    fc.property(sequences, counts, (sequence, [trials, matches]) => {
      const { lower, upper } = intervalOf(sequence, trials, matches)
      return lower >= 0 && lower <= matches / trials && matches / trials <= upper && upper <= 1
    }),
    { seed },
  )
  t.deepEqual(intervalOf(usual, 0, 0), { lower: 0, upper: 1 })
})

/**
 * Returns the largest distance of ln of the martingale from ln (1 / alpha) at the end of an interval whose trials all match or all miss.
 * Doubles near `end` are up to end · ε apart. From one to the next, ln p of a trial changes by their distance / p, and ln (1 - p) by their
 * distance / (1 - p), which is large where `end` is close to 1. The logarithms are rounded too, in proportion to their size.
 */
function tolerance(trials: number, matches: number, end: number, limit: number): number {
  const slope = trials / (matches === 0 ? 1 - end : end)
  const logLikelihood = trials * (matches === 0 ? Math.log1p(-end) : Math.log(end))
  // The error of exp and expm1 is less than the distance of two doubles.
  const ofTheEnd = slope * end * Number.EPSILON
  // Two sums, a product and a quotient each have an error of up to half of that distance, and a logarithm less than the whole.
  const ofTheLogs = 3 * (limit - logLikelihood) * Number.EPSILON
  return ofTheEnd + ofTheLogs
}

test('if all trials or none match, the opposite bound is exact', (t) => {
  fc.assert(
    fc.property(sequences, fc.integer({ min: 1, max: 100_000 }), (sequence, trials) => {
      const all = intervalOf(sequence, trials, trials)
      const none = intervalOf(sequence, trials, 0)
      const limit = -Math.log(sequence.alpha)
      const isEnd = (end: number, matches: number): boolean =>
        Math.abs(logMartingale(sequence, trials, matches, end) - limit) <= tolerance(trials, matches, end, limit)
      return all.upper === 1 && none.lower === 0 && isEnd(all.lower, trials) && isEnd(none.upper, 0)
    }),
    { seed },
  )
  t.pass()
})

test('one miss under a floor near 1 leaves rates up to the double next to the exact end', (t) => {
  // The mixture gives one miss the likelihood b / (a + b), and the rate p gives it 1 - p. At the end, 1 - p is alpha · b / (a + b).
  for (const floor of [0.999_996_638_180_105, 0.999_996_351_191_418_5, 0.999_997_824_437_017_6, 1]) {
    const mean = Math.min(floor, 0.999_999)
    const miss = (1e-6 * 0.5) / ((0.5 * mean) / (1 - mean) + 0.5)
    t.is(intervalOf({ floor, alpha: 1e-6 }, 1, 0).upper, 1 - miss, `${floor}`)
  }
})

test('the ends are where the martingale reaches 1 / alpha', (t) => {
  fc.assert(
    fc.property(sequences, counts, (sequence, [trials, matches]) => {
      fc.pre(matches > 0 && matches < trials)
      const limit = -Math.log(sequence.alpha)
      const { lower, upper } = intervalOf(sequence, trials, matches)
      const value = (p: number): number => logMartingale(sequence, trials, matches, p)
      return (
        (lower < 1e-300 || (value(lower) <= limit + 1e-6 && value(lower * (1 - 1e-9)) >= limit - 1e-3)) &&
        value(upper) <= limit + 1e-3
      )
    }),
    { seed },
  )
  t.pass()
})

test('more matches never lower an end, and a smaller alpha never narrows', (t) => {
  fc.assert(
    fc.property(sequences, counts, (sequence, [trials, matches]) => {
      const here = intervalOf(sequence, trials, matches)
      const wider = intervalOf({ ...sequence, alpha: sequence.alpha / 2 }, trials, matches)
      const more = intervalOf(sequence, trials, Math.min(trials, matches + 1))
      const slack = 1e-12
      return (
        more.lower >= here.lower - slack &&
        more.upper >= here.upper - slack &&
        wider.lower <= here.lower + slack &&
        wider.upper >= here.upper - slack
      )
    }),
    { seed },
  )
  t.pass()
})

test('the comparison with a rate agrees with the interval', (t) => {
  const rates = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1, 0.95))
  fc.assert(
    fc.property(sequences, counts, rates, (sequence, [trials, matches], p) => {
      const { lower, upper } = intervalOf(sequence, trials, matches)
      fc.pre(Math.abs(lower - p) > 1e-9 && Math.abs(upper - p) > 1e-9)
      const stands = lower > p ? 'above' : upper < p ? 'below' : 'around'
      return compareTo(sequence, trials, matches, p) === stands
    }),
    { numRuns: 500, seed },
  )
  t.is(compareTo(usual, 10, 10, 1), 'around')
  t.is(compareTo(usual, 10, 9, 1), 'below')
  t.is(compareTo(usual, 10, 0, 0), 'around')
})

test('with the usual floor, a rule that always matches is proven after 81 trials, and one that never does is refuted soon', (t) => {
  let trials = 1
  while (compareTo(usual, trials, trials, usual.floor) !== 'above') trials += 1
  t.is(trials, 81)
  let misses = 1
  while (compareTo(usual, misses, 0, usual.floor) !== 'below') misses += 1
  t.true(misses <= 5, `${misses}`)
})
