import test from 'ava'
import fc from 'fast-check'
import {
  type Execution,
  makeClustering,
  newWatch,
  type Trial,
  watchTrial,
  windowOf,
} from '../../../src/decisions/gate/fold-trials.ts'
import { type GateBounds, judge } from '../../../src/decisions/gate/judge.ts'

const bounds: GateBounds = { floor: 0.95, alpha: 0.05, minSamples: 30 }
const phase = { beganUs: 1_000_000_000, freshnessS: 60 }
const windowUs = phase.freshnessS * 1_000_000

const executions = fc
  .array(
    fc.record({
      startUs: fc.integer({ min: phase.beganUs, max: phase.beganUs + 10 * windowUs }),
      cluster: fc.constantFrom('a', 'b', 'c'),
      inputHash: fc.constantFrom('x', 'y', null),
      matched: fc.boolean(),
      excludedReason: fc.constantFrom(null, null, null, 'no_candidate' as const),
    }),
    { maxLength: 60 },
  )
  .map((all): Execution[] =>
    all
      .toSorted((x, y) => x.startUs - y.startUs)
      .map((one, at) => ({ ...one, traceId: `${at}`.padStart(32, '0'), spanId: `${at}`.padStart(16, '0') })),
  )

const fold = (all: readonly Execution[]): Trial[] => {
  const cluster = makeClustering<Execution>(phase)
  return all.map((one) => cluster(one))
}

test('of a session, an input and a window exactly the first that can count does', (t) => {
  fc.assert(
    fc.property(executions, (all) => {
      const trials = fold(all)
      return all.every((one, at) => {
        const earlier = all
          .slice(0, at)
          .some(
            (other) =>
              other.excludedReason === null &&
              other.cluster === one.cluster &&
              other.inputHash === one.inputHash &&
              windowOf(phase, other.startUs) === windowOf(phase, one.startUs),
          )
        const reason = one.excludedReason ?? (earlier ? 'clustered' : null)
        const trial = trials[at]
        return trial?.counted === (reason === null) && trial.excludedReason === reason && trial.matched === one.matched
      })
    }),
  )
  t.pass()
})

test('whoever begins with a window counts as whoever began with the phase', (t) => {
  fc.assert(
    fc.property(executions, fc.integer({ min: 0, max: 10 }), (all, window) => {
      const fromUs = phase.beganUs + window * windowUs
      const whole = fold(all).filter((one) => one.startUs >= fromUs)
      const part = fold(all.filter((one) => one.startUs >= fromUs))
      return JSON.stringify(whole) === JSON.stringify(part)
    }),
  )
  t.pass()
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

test('a watch is proven again where its sequence passes, and the next trial begins another', (t) => {
  let watch = newWatch
  for (let trials = 1; trials <= 81; trials += 1) watch = watchTrial(bounds, watch, trial(true))
  t.deepEqual(watch, { trials: 81, matches: 81, breached: false, proven: true })
  t.deepEqual(watchTrial(bounds, watch, trial(false)), { trials: 1, matches: 0, breached: false, proven: false })
})

test('a watch is breached where its sequence fails, and stays so', (t) => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 200 }), (matches) => {
      let watch = newWatch
      for (const matched of matches) {
        const before = watch
        watch = watchTrial(bounds, watch, trial(matched))
        if (before.breached && watch !== before) return false
        const verdict = judge(bounds, watch)
        if (watch.breached !== (verdict === 'fail') || watch.proven !== (verdict === 'pass')) return false
      }
      return true
    }),
  )
  t.pass()
})
