// What a rule loses of prompt caching: the estimate, and the part of it that is certain.
import test from 'ava'
import { type Caching, measureCacheLoss, proveCacheLoss } from '../../src/decisions/measure-caching.ts'
import { makeRandom } from '../_kit/random.ts'

const tokens = 1_000

/** Sums calls of one model, each given by what it saved on a token of its input. */
const sumUp = (isServed: boolean, saved: readonly number[]): Caching => ({
  is_served: isServed,
  model: 'm',
  calls: saved.length,
  input_tokens: saved.length * tokens,
  savings_usd: saved.reduce((sum, one) => sum + one * tokens, 0),
  saved_per_token: saved.reduce((sum, one) => sum + one, 0),
  squares: saved.reduce((sum, one) => sum + one ** 2, 0),
  estimated_calls: 0,
  beyond_usd: 0,
})

const draw = (count: number, next: () => number): number[] => Array.from({ length: count }, next)

test('a rule without a loss is never found to have one, however often it is measured; the control: the estimate finds one', (t) => {
  const { int } = makeRandom(11)
  const random = (): number => int(1_000_000) / 1_000_000
  let estimated = 0
  for (const next of [
    // Caches that hit nearly always, and caches that hit half of the time.
    () => 1e-6 * (0.6 + 0.3 * random()),
    () => (random() < 0.5 ? 0 : 1e-6),
  ])
    for (let rule = 0; rule < 100; rule += 1) {
      const [served, real]: [number[], number[]] = [[], []]
      for (let measurement = 0; measurement < 30; measurement += 1) {
        served.push(...draw(10, next))
        real.push(...draw(10, next))
        const rows = [sumUp(true, served), sumUp(false, real)]
        t.is(proveCacheLoss(rows), 0)
        if ((measureCacheLoss(rows) ?? 0) > 0) estimated += 1
      }
    }
  t.true(estimated > 1_000, `${estimated} of 6,000`)
})

test('a loss is proven by its size and the number of calls, and is at most what is estimated', (t) => {
  const { int } = makeRandom(12)
  const random = (): number => int(1_000_000) / 1_000_000
  const rows = (calls: number, kept: number): Caching[] => [
    sumUp(
      true,
      draw(calls, () => kept * 1e-6 * (0.6 + 0.3 * random())),
    ),
    sumUp(
      false,
      draw(calls, () => 1e-6 * (0.6 + 0.3 * random())),
    ),
  ]
  t.is(proveCacheLoss(rows(29, 0)), 0, 'too few calls')
  const all = rows(30, 0)
  const lost = measureCacheLoss(all) ?? 0
  t.true(proveCacheLoss(all) > lost / 2 && proveCacheLoss(all) <= lost)
  t.is(proveCacheLoss(rows(30, 0.95)), 0, 'a small loss needs more calls')
  t.true(proveCacheLoss(rows(2_000, 0.95)) > 0)
  const [served] = rows(100, 1)
  t.is(proveCacheLoss(served === undefined ? [] : [served]), 0, 'nothing to compare with')
  t.is(proveCacheLoss([]), 0)
})
