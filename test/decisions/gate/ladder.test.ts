import { isDeepStrictEqual } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { type Ladder, openLadder, readLadder } from '../../../src/decisions/gate/ladder.ts'
import { writeState } from '../../../src/decisions/gate/ladder-bytes.ts'
import { type Execution, LadderState, type Trial } from '../../../src/decisions/gate/replay.ts'
import type { LadderSettings } from '../../../src/decisions/gate/verdict.ts'
import { holdoutDraw } from '../../../src/decisions/policy/fingerprint.ts'
import { inSoak, seed } from '../../_kit/soak.ts'
import { epochUs, streams } from '../policy/_streams.ts'
import { listServed } from './_served.ts'

// Alpha is high enough for short streams to pass, and the floor high enough for two wrong trials in a row to end it.
const settings: LadderSettings = { floor: 0.99, alpha: 0.9, holdoutRate: 0.4, maxFreshnessS: 600 }

type Shadow = { readonly ladder: Ladder; readonly trials: Trial[] }

const open = (): Shadow => ({ ladder: openLadder(settings), trials: [] })
const replay = ({ ladder, trials }: Shadow, executions: readonly Execution[], servingSinceUs: number | null): void =>
  ladder.replay(executions, { servingSinceUs, onTrial: (trial) => trials.push(trial) })

const seen = ({ ladder, trials }: Shadow): unknown => ({
  trials,
  standing: ladder.describe(),
  proven: ladder.listProven(10),
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
      same(t, seen(other), seen(one))
      const later = shift(after, lastUs(before) - epochUs)
      for (const shadow of [one, other]) replay(shadow, later, servingSinceUs)
      same(t, seen(other), seen(one))
      same(t, other.ladder.write(), one.ladder.write())
    },
  )
  fc.assert(property, { numRuns: inSoak(40, 100), seed })
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
    same(t, seen(cut), seen(whole))
    trials += whole.trials.length
    stepsDown += whole.ladder.describe().stepsDown
  })
  fc.assert(property, { numRuns: inSoak(40, 100), seed, endOnFailure: true })
  t.true(trials > 1_000 && stepsDown > 5, `${trials} trials, ${stepsDown} steps down`)
})

test('a result that cannot be stored is a wrong trial, and nothing is served until a success follows', (t) => {
  const every = (nth: number, each: number): boolean => nth >= 10 && nth % each === 0
  const stream = (contentHash: string | null) =>
    Array.from({ length: 600 }, (_, nth) => execution(nth, every(nth, 5) ? { contentHash } : {}))
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
  t.deepEqual(listServed(served, { ...settings, holdoutRate: 1 }, epochUs + provingUs), ['c', 'b'])
})

/** A span id by which the holdout of a call in shadow is drawn, or not. */
const spanIdThat = (isDrawn: boolean): string =>
  Array.from({ length: 100 }, (_, nth) => `span ${nth}`).find(
    (spanId) => holdoutDraw(spanId) < settings.holdoutRate === isDrawn,
  )!

/** Four equal executions a second apart: the third one proves the input, and the last one is held out. */
const proven = (): Shadow => {
  const shadow = open()
  const spanId = spanIdThat(true)
  replay(shadow, [...[0, 1, 2].map((nth) => execution(nth, {})), execution(3, { spanId })], null)
  return shadow
}
const trialsAtTen = ({ trials }: Shadow): object[] =>
  trials
    .filter(({ rungS }) => rungS === 10)
    .map(({ execution, candidateStartUs, candidateEndUs, matched }) => ({
      atS: (execution.startUs - epochUs) / 1e6,
      candidateS: [candidateStartUs, candidateEndUs].map((us) => (us - epochUs) / 1e6),
      matched,
    }))

test('an execution that arrives late is compared with what was served at its time, and does not replace a later one', (t) => {
  const shadow = proven()
  const known = trialsAtTen(shadow)
  t.deepEqual(known, [{ atS: 3, candidateS: [2, 2], matched: true }])
  replay(shadow, [execution(1.5, { contentHash: 'y', spanId: 'before it was proven' })], null)
  t.deepEqual(trialsAtTen(shadow), known)
  replay(shadow, [execution(2.4, { contentHash: 'y', spanId: spanIdThat(false) })], null)
  replay(shadow, [execution(2.5, {})], null)
  const late = [
    { atS: 2.4, candidateS: [2, 2], matched: false },
    { atS: 2.5, candidateS: [2, 2], matched: true },
  ]
  t.deepEqual(trialsAtTen(shadow), [...known, ...late])
  t.like(shadow.ladder.describe().rungs[0], { trials: 3, wrong: 1 })
  replay(shadow, [execution(4, {})], null)
  t.deepEqual(trialsAtTen(shadow).slice(3), [{ atS: 4, candidateS: [3, 3], matched: true }])
})

test('an execution that was held out and contradicts ends the serving of its input, although it arrives late', (t) => {
  const shadow = proven()
  replay(shadow, [execution(2.4, { contentHash: 'y', spanId: spanIdThat(true) })], null)
  t.is(trialsAtTen(shadow).length, 2)
  replay(shadow, [execution(4, {}), execution(5, {}), execution(6, {})], null)
  t.is(trialsAtTen(shadow).length, 2, 'it needs four equal results again')
  replay(shadow, [execution(7, {}), execution(8, {})], null)
  t.is(trialsAtTen(shadow).length, 3)
})

test('an execution that arrives after the result has changed is compared with the earlier result', (t) => {
  const shadow = proven()
  const [spanId, hidden] = [spanIdThat(true), spanIdThat(false)]
  replay(shadow, [execution(5, { contentHash: 'y', spanId }), execution(20, { contentHash: 'y' })], null)
  const before = trialsAtTen(shadow).length
  for (const [nth, contentHash] of [
    [3.5, 'x'],
    [4, 'y'],
    [5.5, 'y'],
    [13.5, 'x'],
  ] as const)
    replay(shadow, [execution(nth, { contentHash, spanId: hidden })], null)
  t.deepEqual(trialsAtTen(shadow).slice(before), [
    { atS: 3.5, candidateS: [3, 3], matched: true },
    { atS: 4, candidateS: [3, 3], matched: false },
  ])
})

test('an execution that arrives late is not compared with a result that was invalidated before it began', (t) => {
  const shadow = proven()
  shadow.ladder.recall([{ atUs: epochUs + 2.2e6, inputHash: 'a' }])
  const before = trialsAtTen(shadow).length
  replay(shadow, [execution(2.4, { contentHash: 'y' })], null)
  t.is(trialsAtTen(shadow).length, before)
  replay(shadow, [execution(2.1, { contentHash: 'y' })], null)
  t.is(trialsAtTen(shadow).length, before + 1)
})

/** Replays what two processes send in turns of 10 s, the second one 30 s late, as long as the first rung needs with right results. */
function replayLate(callOf: (nth: number, isLate: boolean) => Partial<Execution>): Ladder {
  const ladder = openLadder({ ...settings, floor: 0.95, alpha: 0.05, holdoutRate: 0.05 })
  const callsFrom = (fromS: number, isLate: boolean): Execution[] =>
    [0, 2, 4, 6, 8].map((after) => {
      const nth = (fromS + after) / 2
      return execution(fromS + after + (isLate ? 1 : 0), { spanId: `${isLate} ${nth}`, ...callOf(nth, isLate) })
    })
  for (let s = 0; s < 1_200; s += 10) {
    const executions = [...callsFrom(s, false), ...(s < 30 ? [] : callsFrom(s - 30, true))]
    ladder.replay(executions, { servingSinceUs: null })
  }
  return ladder
}

test('a process that delivers late is evidence like one that does not', (t) => {
  const same = replayLate(() => ({}))
  t.is(same.describe().freshnessS, 10)
  // It gets another result for the same input as the first process did.
  const other = replayLate((_, isLate) => ({ contentHash: isLate ? 'y' : 'x' })).describe()
  t.like(other, { verdict: 'fail', freshnessS: null })
  // The results of its own inputs change as soon as they could be served.
  const own = replayLate((nth, isLate) =>
    isLate ? { inputHash: `b ${Math.floor(nth / 6)}`, contentHash: nth % 6 < 3 ? '1' : '2' } : {},
  )
  t.like(own.describe(), { verdict: 'fail', freshnessS: null })
})

/** Ten inputs in turn, each once in 3 s, whose results are all the same until a rule serves them. */
const steady = Array.from({ length: 3_400 }, (_, nth) => execution(nth * 0.3, { inputHash: `input ${nth % 10}` }))

test('while a rule serves, a call that it could have answered is a trial only if it was held out', (t) => {
  const serving = (): Ladder => {
    const ladder = openLadder({ ...settings, floor: 0.95, alpha: 0.05, holdoutRate: 0.05 })
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

  // The same holds for calls that become known late.
  const late = (isHeldOut: boolean): Execution =>
    execution(fromS + 3, { inputHash: 'input 2', contentHash: 'y', isHeldOut })
  ladder.replay([late(false)], { servingSinceUs })
  t.deepEqual(ladder.describe().watched, { trials: 5, wrong: 0 })
  ladder.replay([{ ...late(true), inputHash: 'input 1' }], { servingSinceUs })
  t.deepEqual(ladder.describe().watched, { trials: 6, wrong: 1 })
  t.false(ladder.listProven(10).includes('input 1'))

  // A call that was not held out ends the serving of its input if its result has changed, and is no evidence.
  const missed = serving()
  missed.replay([execution(fromS, { inputHash: 'input 1', isHeldOut: false, contentHash: 'y' })], { servingSinceUs })
  const after = missed.describe()
  t.like(after, { freshnessS: 10, watched: { trials: 0, wrong: 0 } })
  t.deepEqual(
    after.rungs.map(({ trials, wrong }) => [trials, wrong]),
    before.rungs.map(({ trials, wrong }) => [trials, wrong]),
  )
  t.true(missed.listProven(10).includes('input 2'))
  t.false(missed.listProven(10).includes('input 1'))
})

test('a trial that becomes known late counts in its own block for a minute, and then in another one', (t) => {
  const shadow = open()
  const other = (nth: number): Execution => execution(nth, { inputHash: 'b', spanId: `b${nth}` })
  replay(
    shadow,
    [0, 1, 2].flatMap((nth) => [execution(nth, {}), other(nth)]),
    null,
  )
  const rung = () => shadow.ladder.describe().rungs[0]!
  const countsOf = ({ blocks, trials, late }: ReturnType<typeof rung>) => ({ blocks, trials, late })
  replay(
    shadow,
    [11, 12].map((nth) => execution(nth, {})),
    null,
  )
  const { blocks, trials } = rung()
  replay(shadow, [other(8)], null)
  t.deepEqual(countsOf(rung()), { blocks, trials: trials + 1, late: 0 })
  // The first one finds a result that is too old, and the second one ends the wait of the first block.
  replay(shadow, [execution(71, {}), execution(72, {})], null)
  t.deepEqual(countsOf(rung()), { blocks: blocks + 1, trials: trials + 2, late: 0 })
  replay(shadow, [other(9)], null)
  t.deepEqual(countsOf(rung()), { blocks: blocks + 1, trials: trials + 3, late: 1 })
})

test('a long call at the end of a batch does not make the calls of the next batch late', (t) => {
  const steadyCalls = Array.from({ length: 300 }, (_, nth) => execution(nth * 2, {}))
  const long = execution(150, { inputHash: 'z', contentHash: null, isError: true, endUs: epochUs + 600_000_000 })
  const known = [...steadyCalls, long].toSorted((a, b) => a.startUs - b.startUs)
  const [whole, parts] = [open(), open()]
  replay(whole, known, null)
  for (const part of [known.slice(0, 180), known.slice(180)]) replay(parts, part, null)
  const countsOf = ({ ladder }: Shadow) => {
    const { blocks, trials, late } = ladder.describe().rungs[0]!
    return { blocks, trials, late }
  }
  t.deepEqual(countsOf(parts), countsOf(whole))
  t.is(countsOf(parts).late, 0)
  t.true(countsOf(parts).blocks > 50)
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
  t.is(listServed(ladder, settings, nowUs)[0], 'i4999')
  t.true(listServed(ladder, settings, nowUs + 1e6).length < 600)
  // At 0.1 s a call all are young enough, so only the bound applies.
  const quick = twice.flat().map((each, nth) => ({ ...each, startUs: epochUs + nth * 5e4, endUs: epochUs + nth * 5e4 }))
  const other = openLadder(settings)
  other.force(600)
  other.replay(quick, { servingSinceUs: null })
  const newest = twice.slice(-4_096).map(([each]) => each!.inputHash)
  t.deepEqual(listServed(other, settings, epochUs + 5e8), newest.reverse())
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
  t.is(idle.blocks, 12)
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
