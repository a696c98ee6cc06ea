import { isDeepStrictEqual } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { type Ladder, openLadder, readLadder } from '../../../src/decisions/gate/ladder.ts'
import { writeState } from '../../../src/decisions/gate/ladder-bytes.ts'
import { type Execution, LadderState, type Trial } from '../../../src/decisions/gate/replay.ts'
import type { LadderSettings } from '../../../src/decisions/gate/verdict.ts'
import { seed } from '../../_kit/soak.ts'
import { epochUs, streams } from '../policy/_streams.ts'

// Alpha is high enough for short streams to pass, and the floor high enough for two wrong trials in a row to end it.
const settings: LadderSettings = { floor: 0.99, alpha: 0.9, holdoutRate: 0.4, maxFreshnessS: 600 }

type Shadow = { readonly ladder: Ladder; readonly trials: Trial[] }

const open = (): Shadow => ({ ladder: openLadder(settings), trials: [] })
const replay = ({ ladder, trials }: Shadow, executions: readonly Execution[], servingSinceUs: number | null): void =>
  ladder.replay(executions, { servingSinceUs, onTrial: (trial) => trials.push(trial) })

const seen = ({ ladder, trials }: Shadow, nowUs: number): unknown => ({
  trials,
  standing: ladder.describe(),
  served: ladder.listServed(nowUs, 10),
})

/** In cases that are drawn, equal values need no comparison by ava, which takes as long as the ladder itself. */
function same(t: ExecutionContext, value: unknown, expected: unknown): void {
  if (isDeepStrictEqual(value, expected)) t.pass()
  else t.deepEqual(value, expected)
}

const shift = (executions: readonly Execution[], byUs: number): Execution[] =>
  executions.map((each) => ({ ...each, startUs: each.startUs + byUs, endUs: each.endUs + byUs }))

const lastUs = (executions: readonly Execution[]): number => Math.max(epochUs, ...executions.map(({ endUs }) => endUs))

test('a ladder that was written and read continues as one that was not', (t) => {
  const property = fc.property(
    streams(true),
    streams(true),
    fc.boolean(),
    fc.option(fc.constantFrom(30, 120)),
    fc.option(fc.constantFrom('a', 'z')),
    (before, after, serves, forceS, invalidated) => {
      const one = open()
      const servingSinceUs = serves ? epochUs + 60_000_000 : null
      replay(one, before, servingSinceUs)
      one.ladder.force(forceS)
      one.ladder.invalidate(lastUs(before), invalidated)
      const other = { ladder: readLadder(settings, one.ladder.write()), trials: [...one.trials] }
      same(t, seen(other, lastUs(before)), seen(one, lastUs(before)))
      const later = shift(after, lastUs(before) - epochUs)
      for (const shadow of [one, other]) replay(shadow, later, servingSinceUs)
      same(t, seen(other, lastUs(later)), seen(one, lastUs(later)))
      same(t, other.ladder.write(), one.ladder.write())
    },
  )
  fc.assert(property, { numRuns: 100, seed })
})

const execution = (nth: number, from: Partial<Execution>): Execution => {
  const startUs = epochUs + nth * 1_000_000
  const spanId = nth.toString(16).padStart(16, '0')
  const usual = { inputHash: 'a', contentHash: 'x', isError: false, isHeldOut: true, traceId: '0'.repeat(32), spanId }
  return { startUs, endUs: startUs, ...usual, ...from }
}

/** All right until the lowest rungs are proven. */
const proving = Array.from({ length: 300 }, (_, nth) =>
  execution(nth, { inputHash: 'abc'[nth % 3]!, contentHash: '1' }),
)
const provingUs = proving.length * 1_000_000

test('replay gives the same result for any batches and any order within a batch, if no execution is late', (t) => {
  let trials = 0
  let stepsDown = 0
  const property = fc.property(streams(false), fc.array(fc.nat(60)), fc.boolean(), (random, sizes, serves) => {
    const servingSinceUs = serves ? epochUs + provingUs : null
    const stream = [...proving, ...shift(random, provingUs)]
    const whole = open()
    replay(whole, stream, servingSinceUs)
    const cut = open()
    let from = 0
    for (const size of [...sizes, stream.length]) {
      replay(cut, stream.slice(from, from + size).reverse(), servingSinceUs)
      from += size
    }
    same(t, seen(cut, lastUs(stream)), seen(whole, lastUs(stream)))
    trials += whole.trials.length
    stepsDown += whole.ladder.describe().stepsDown
  })
  fc.assert(property, { numRuns: 100, seed, endOnFailure: true })
  t.true(trials > 1_000 && stepsDown > 5, `${trials} trials, ${stepsDown} steps down`)
})

test('a result that cannot be stored is a wrong trial, and nothing is served until a success follows', (t) => {
  const every = (nth: number, each: number): boolean => nth >= 10 && nth % each === 0
  const stream = (contentHash: string | null) =>
    Array.from({ length: 500 }, (_, nth) => execution(nth, every(nth, 5) ? { contentHash } : {}))
  const usual = { ...settings, floor: 0.95, alpha: 0.05 }
  const odd = openLadder(usual)
  odd.replay(stream('unstorable'), { servingSinceUs: null })
  const { verdict, shown } = odd.describe()
  t.is(verdict, 'fail')
  t.true(shown.wrong > 5, `${shown.wrong} wrong`)
  const unknown = openLadder(usual)
  unknown.replay(stream(null), { servingSinceUs: null })
  t.is(unknown.describe().shown.wrong, 0, 'what was not told is no trial')
  const never = openLadder(usual)
  never.replay(
    Array.from({ length: 50 }, (_, nth) => execution(nth, { contentHash: 'unstorable' })),
    { servingSinceUs: null },
  )
  t.is(never.describe().shown.trials, 0, 'there is nothing to serve')
  const served = openLadder({ ...settings, holdoutRate: 1 })
  served.replay([...proving, execution(proving.length, { contentHash: 'unstorable' })], { servingSinceUs: null })
  t.deepEqual(served.listServed(epochUs + provingUs, 10), ['c', 'b'])
})

test('an execution that arrives late is no trial, and does not replace one that ended after it', (t) => {
  const shadow = open()
  replay(
    shadow,
    [0, 1, 2, 3].map((nth) => execution(nth, {})),
    null,
  )
  const before = shadow.trials.length
  // This execution started before the newest execution had ended, and ended before it.
  replay(shadow, [execution(2.5, { contentHash: 'y', spanId: 'ff' })], null)
  t.is(shadow.trials.length, before)
  replay(shadow, [execution(4, {})], null)
  t.true(shadow.trials.at(-1)?.matched)
})

/** Ten inputs in turn, each once in 3 s, whose results are all the same until a rule serves them. */
const steady = Array.from({ length: 3_400 }, (_, nth) => execution(nth * 0.3, { inputHash: `input ${nth % 10}` }))

test('while a rule serves, a call that it could have answered is a trial only if it was held out', (t) => {
  const serving = (): Ladder => {
    const ladder = openLadder({ ...settings, floor: 0.95, alpha: 0.05 })
    ladder.replay(steady, { servingSinceUs: null })
    return ladder
  }
  const fromS = 1_020
  const servingSinceUs = epochUs + fromS * 1e6
  // All calls of one process, which serves nothing, and the holdout of another one, whose other calls were served.
  const calls = Array.from({ length: 100 }, (_, nth) => {
    const isHeldOut = nth % 20 === 19
    return execution(fromS + nth * 0.06, { inputHash: `input ${isHeldOut ? 1 : 2}`, isHeldOut })
  })
  const ladder = serving()
  const before = ladder.describe()
  t.is(before.freshnessS, 10)
  ladder.replay(calls, { servingSinceUs })
  const { watched, rungs } = ladder.describe()
  t.deepEqual(watched, { trials: 5, wrong: 0 })
  t.deepEqual(
    rungs.map(({ trials }, nth) => trials - before.rungs[nth]!.trials),
    [5, 5, 5],
  )

  // A call that was not held out ends the serving of its input if its result has changed, and is no evidence.
  const missed = serving()
  missed.replay([execution(fromS, { inputHash: 'input 1', isHeldOut: false, contentHash: 'y' })], { servingSinceUs })
  t.deepEqual(missed.describe(), { ...before, watched: { trials: 0, wrong: 0 } })
  t.true(missed.listProven(10).includes('input 2'))
  t.false(missed.listProven(10).includes('input 1'))
})

test('a trial of a block that is over is shown and is no evidence', (t) => {
  const shadow = open()
  const other = (nth: number): Execution => execution(nth, { inputHash: 'b', spanId: `b${nth}` })
  replay(
    shadow,
    [0, 1, 2].flatMap((nth) => [execution(nth, {}), other(nth)]),
    null,
  )
  replay(
    shadow,
    [11, 12].map((nth) => execution(nth, {})),
    null,
  )
  const standing = shadow.ladder.describe().rungs[0]
  replay(shadow, [other(9)], null)
  const late = shadow.trials.filter(({ execution }) => execution.spanId === 'b9')
  t.deepEqual(late.map(({ counted, rungS }) => ({ counted, rungS }))[0], { counted: false, rungS: 10 })
  t.deepEqual(shadow.ladder.describe().rungs[0], { ...standing!, late: 1 })
})

test('a ladder with another floor or version is not read', (t) => {
  const bytes = openLadder(settings).write()
  t.throws(() => readLadder({ ...settings, floor: 0.7 }, bytes), { message: /another floor/ })
  t.throws(() => readLadder(settings, Uint8Array.of(99, ...bytes.subarray(1))), { message: /another version/ })
  t.throws(() => readLadder(settings, bytes.subarray(0, -1)))
})

test('a ladder with impossible numbers is not read', (t) => {
  const damage: readonly ((state: LadderState, value: number) => void)[] = [
    ({ rungs }, value) => rungs[0]!.evidence.state.logs.fill(value),
    ({ rungs }, value) => rungs[0]!.watch.logs.fill(value),
    // A wrong share above one takes all of a capital and more.
    ({ rungs }) => Object.assign(rungs[0]!.evidence.state, { openWrong: 30, openTrials: 6 }),
  ]
  for (const change of damage)
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1e300]) {
      const state = new LadderState(settings)
      state.replay(proving, { servingSinceUs: null })
      t.notThrows(() => readLadder(settings, writeState(state)))
      change(state, value)
      t.throws(() => readLadder(settings, writeState(state)), { message: /corrupt/ }, `${value}`)
    }
})

test('a lower limit of freshness keeps the rungs below it', (t) => {
  const shadow = open()
  replay(
    shadow,
    Array.from({ length: 14_000 }, (_, nth) => execution(nth, {})),
    null,
  )
  t.is(shadow.ladder.describe().freshnessS, 600)
  const lower = readLadder({ ...settings, maxFreshnessS: 60 }, shadow.ladder.write())
  t.is(lower.describe().freshnessS, 60)
})

test('inputs are bounded: the ones executed least recently are forgotten', (t) => {
  const { ladder } = open()
  ladder.force(600)
  const twice = Array.from({ length: 5_000 }, (_, nth) =>
    [nth, nth + 0.5].map((at) => execution(at, { inputHash: `i${nth}` })),
  )
  ladder.replay(twice.flat(), { servingSinceUs: null })
  const nowUs = twice.at(-1)!.at(-1)!.endUs
  t.is(ladder.listServed(nowUs, 10_000)[0], 'i4999')
  t.true(ladder.listServed(nowUs + 1e6, 10_000).length < 600)
  // At 0.1 s a call all are young enough, so only the bound applies.
  const quick = twice.flat().map((each, nth) => ({ ...each, startUs: epochUs + nth * 5e4, endUs: epochUs + nth * 5e4 }))
  const other = openLadder(settings)
  other.force(600)
  other.replay(quick, { servingSinceUs: null })
  const newest = twice.slice(-4_096).map(([each]) => each!.inputHash)
  t.deepEqual(other.listServed(epochUs + 5e8, 10_000), newest.reverse())
})

const hourS = 3_600

/** Pairs of equal calls 30 s apart, one an hour, and afterwards single calls every two minutes past the age limit of the rung. */
const paired = (pairs: number, hoursAfter: number): Execution[] => [
  ...Array.from({ length: pairs }, (_, nth) => [execution(nth * hourS, {}), execution(nth * hourS + 30, {})]).flat(),
  ...Array.from({ length: hoursAfter * 30 }, (_, nth) => execution((pairs - 1) * hourS + (nth + 1) * 120, {})),
]

const needsOf = (executions: readonly Execution[]) => {
  const shadow = open()
  replay(shadow, executions, null)
  const rung = shadow.ladder.describe().rungs.find(({ freshnessS }) => freshnessS === 60)!
  return { blocks: rung.blocks, needsBlocks: rung.needsBlocks, needsS: rung.needsS }
}

test('the time until a proof is by the rate at which periods with trials came, and unknown where they were few', (t) => {
  // The first two pairs only confirm the result. A period is not over before the next one begins.
  const few = needsOf(paired(6, 0))
  t.like(few, { blocks: 4, needsS: null })
  const some = needsOf(paired(13, 0))
  t.like(some, { blocks: 11, needsS: some.needsBlocks * hourS })
})

test('the time in which no period had a trial counts in the time until a proof', (t) => {
  const idle = needsOf(paired(13, 120))
  t.is(idle.blocks, 11)
  const { needsBlocks, needsS } = idle
  t.true(Math.abs((needsS ?? 0) / ((needsBlocks * 131 * hourS) / 12) - 1) < 0.01, `${needsS}`)
})

test('a rule in shadow shows the age limit that is nearest to its proof, and is judged by the next one', (t) => {
  const shadow = open()
  // Calls every five minutes; a single one comes soon enough after another one for the rungs of 10 and 60 s.
  const every = Array.from({ length: 20 }, (_, nth) => execution(nth * 300, {}))
  replay(shadow, [...every, execution(19 * 300 + 5, {})], null)
  const { shown, next, verdict } = shadow.ladder.describe()
  t.is(next?.freshnessS, 10)
  t.is(shown.freshnessS, 600)
  t.is(verdict, 'inconclusive')
})

test('a rule that is refuted shows the age limit that refutes it', (t) => {
  const shadow = open()
  // The last of eight calls with an input returns another result.
  const bursts = Array.from({ length: 400 }, (_, nth) =>
    execution(nth, { contentHash: nth % 8 < 7 ? '1' : '2', inputHash: `${Math.floor(nth / 8)}` }),
  )
  replay(shadow, bursts, null)
  const { shown, next, verdict } = shadow.ladder.describe()
  t.is(verdict, 'fail')
  t.is(next?.freshnessS, shown.freshnessS)
})
