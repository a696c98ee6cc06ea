// What the gate promises, on simulated rules that it looks at after every trial, against a gate that does not mind peeking.
import test from 'ava'
import { newWatch, type Trial, watchTrial } from '../../src/decisions/gate/fold-trials.ts'
import { type GateBounds, judge, type Verdict } from '../../src/decisions/gate/judge.ts'

const bounds: GateBounds = { floor: 0.95, alpha: 0.05, minSamples: 30 }
const rules = 2_000
const maxTrials = 3_000

type Gate = (trials: number, matches: number) => Verdict

const ours: Gate = (trials, matches) => judge(bounds, { trials, matches })

/** A lower bound (Wilson) that holds with 95 % for one look, asked after every trial all the same. */
const naive: Gate = (trials, matches) => {
  if (trials < bounds.minSamples) return 'inconclusive'
  const z = 1.6449
  const rate = matches / trials
  const centre = rate + (z * z) / (2 * trials)
  const spread = z * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials))
  const scale = 1 + (z * z) / trials
  if ((centre - spread) / scale > bounds.floor) return 'pass'
  return (centre + spread) / scale < bounds.floor ? 'fail' : 'inconclusive'
}

/** Uniform in [0, 1) with 32 bits (xoshiro128**), since the tails are what is looked at. */
function makeUniform(seed: number): () => number {
  let [a, b, c, d] = [seed, 0x9e3779b9, 0x243f6a88, 0xb7e15162]
  const next = (): number => {
    const mixed = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
    return mixed / 4_294_967_296
  }
  for (let i = 0; i < 32; i += 1) next()
  return next
}

const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by))

type Ends = { readonly activatedAfter: number[]; readonly failed: number }

/** Runs rules of a true rate until the gate decides, or for `maxTrials`. */
function simulate(gate: Gate, rate: number, seed: number): Ends {
  const uniform = makeUniform(seed)
  const activatedAfter: number[] = []
  let failed = 0
  for (let rule = 0; rule < rules; rule += 1) {
    let matches = 0
    for (let trials = 1; trials <= maxTrials; trials += 1) {
      if (uniform() < rate) matches += 1
      const verdict = gate(trials, matches)
      if (verdict === 'inconclusive') continue
      if (verdict === 'pass') activatedAfter.push(trials)
      else failed += 1
      break
    }
  }
  return { activatedAfter, failed }
}

const median = (values: readonly number[]): number =>
  values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)] ?? Number.POSITIVE_INFINITY

test('of rules at the floor, looked at after every trial, no more than alpha ever activate', (t) => {
  for (const seed of [1, 2]) {
    const share = simulate(ours, bounds.floor, seed).activatedAfter.length / rules
    t.log(`at the floor ${(share * 100).toFixed(2)} % activate (alpha ${bounds.alpha * 100} %)`)
    t.true(share <= bounds.alpha)
    t.true(share > 0, 'the simulation would notice')
  }
})

test('of rules below the floor fewer still activate, and most are refuted', (t) => {
  const { activatedAfter, failed } = simulate(ours, 0.9, 3)
  t.log(`at 0.9 ${activatedAfter.length} activate and ${failed} fail, of ${rules}`)
  t.true(activatedAfter.length / rules <= bounds.alpha / 2)
  t.true(failed / rules > 0.97)
})

test('at a rate of 0.999 the median rule activates within 150 trials, and hardly any fails', (t) => {
  const { activatedAfter, failed } = simulate(ours, 0.999, 4)
  t.log(`at 0.999 the median activates after ${median(activatedAfter)} trials; ${failed} of ${rules} fail`)
  t.is(activatedAfter.length + failed, rules)
  t.true(median(activatedAfter) <= 150)
  t.true(failed / rules < 0.01)
})

test('control: a gate of fixed samples that is asked after every trial lets many more than alpha in', (t) => {
  const share = simulate(naive, bounds.floor, 1).activatedAfter.length / rules
  t.log(`naive: at the floor ${(share * 100).toFixed(1)} % activate`)
  t.true(share > 2 * bounds.alpha)
})

const trial = (matched: boolean): Trial => ({
  startUs: 0,
  traceId: '',
  spanId: '',
  cluster: '',
  inputHash: null,
  matched,
  excludedReason: null,
  counted: true,
})

/** How many trials each watched rule lived, `good` of them at 0.99 and all after that at 0.7; null where it was not disabled. */
function watchRules(watched: number, good: number, all: number, seed: number): (number | null)[] {
  const uniform = makeUniform(seed)
  return Array.from({ length: watched }, () => {
    let watch = newWatch
    for (let trials = 1; trials <= all; trials += 1) {
      watch = watchTrial(bounds, watch, trial(uniform() < (trials <= good ? 0.99 : 0.7)))
      if (watch.breached) return trials
    }
    return null
  })
}

test('an active rule that stays good is left alone through thousands of trials', (t) => {
  const disabled = watchRules(300, 3_000, 3_000, 5).filter((life) => life !== null).length
  t.log(`${disabled} of 300 good rules were disabled in 3,000 trials`)
  t.true(disabled <= 3)
})

test('an active rule that drifts is disabled about as soon after a long good past as after none', (t) => {
  const delays = [0, 2_000].map((good) =>
    median(watchRules(300, good, good + 1_000, 6).map((life) => (life ?? Number.POSITIVE_INFINITY) - good)),
  )
  t.log(`at 0.7 the median rule is disabled after ${delays.join(' and ')} trials`)
  const [fresh = 0, old = 0] = delays
  t.true(old < 60)
  t.true(old < 4 * fresh)
})
