// Tools that change: what is never served, how high a rule climbs, and what ends it.
import test from 'ava'
import type { EventSeed } from '../_kit/events.ts'
import { inSoak } from '../_kit/soak.ts'
import { useDatabase } from '../_kit/use-database.ts'
import {
  absent,
  dayMs,
  failed,
  gate,
  heldOutBy,
  hourMs,
  makeDecision,
  makeEvery,
  makeExecution,
  minuteMs,
  readServed,
  readShown,
  readTrail,
  readVersion,
  type Subject,
  serveSince,
  shadowMs,
  store,
} from './_gated.ts'

const world = useDatabase()
const { query } = world

const noonMs = shadowMs + 2 * hourMs

/** Makes a rule that is active since noon, up to an age of a minute, proven by two hours in which `seeds` ran. */
async function makeServing(seeds: readonly EventSeed[]): Promise<Subject> {
  const subject = await makeDecision(world)
  await store(world, subject, seeds)
  await gate(world, subject)
  await serveSince(world, subject, noonMs)
  return subject
}

/** Returns two hours in which one of four inputs runs twice in every ten seconds: 40 s later, it runs again. */
const makeSteady = (): EventSeed[] =>
  Array.from({ length: 720 }, (_, at) => {
    const startMs = shadowMs + at * 10_000
    return [0, 1_000].map((afterMs) => makeExecution(startMs + afterMs, { inputHash: `input ${at % 4}` }))
  }).flat()

const fourInputs = ['input 0', 'input 1', 'input 2', 'input 3']
const lastReason = async (subject: Subject): Promise<string> => (await readTrail(world, subject)).at(-1)?.reason ?? ''

/** Returns how many calls a rung would have served, and how many of these were wrong. */
async function readTrials({ decisionId }: Subject): Promise<{ trials: number; wrong: number }> {
  const [row] = await query<{ trials: number; wrong: number }>(
    `select count(*)::int as trials, (count(*) filter (where not matched))::int as wrong from decision_trials where decision_id = $1`,
    [decisionId],
  )
  return row ?? { trials: 0, wrong: 0 }
}

test('a tool whose value changes every five seconds serves nothing', async (t) => {
  const subject = await makeDecision(world)
  const calls = inSoak(2_400, 7_200)
  const changing = makeEvery(1_000, calls, shadowMs, (at) => ({ contentHash: `content ${Math.floor(at / 5)}` }))
  for (let from = 0; from < calls; from += calls / 6) {
    await store(world, subject, changing.slice(from, from + calls / 6))
    t.not((await gate(world, subject)).moved, 'active')
    t.is((await readServed(world, subject)).served_freshness_s, null)
  }
  t.false((await readTrail(world, subject)).some(({ to_state: to }) => to === 'active'))
  t.like((await readShown(world, subject)).score, { proven: false, inputs: 0 })
})

test('a tool whose value changes every half hour is served up to an age of ten seconds, with right results', async (t) => {
  const subject = await makeDecision(world)
  const changing = makeEvery(5_000, 4_000, shadowMs, (at) => ({
    inputHash: `input ${at % 2}`,
    contentHash: `content ${Math.floor(at / 360)}`,
  }))
  await store(world, subject, changing)
  t.is((await gate(world, subject)).moved, 'active')
  t.is((await readServed(world, subject)).served_freshness_s, 10)
  const { score } = await readShown(world, subject)
  t.true((score?.wrong_share_upper ?? 1) < 0.05)
  // At a higher rung the share of wrong results is too high.
  t.true((score?.rungs[2]?.wrong ?? 0) / (score?.rungs[2]?.trials ?? 1) > 0.05)
  const { trials, wrong } = await readTrials(subject)
  t.true(trials > 500 && wrong < trials * 0.02, `${wrong} of ${trials}`)
})

test('a rule climbs by itself, and its trail says so', async (t) => {
  const subject = await makeDecision(world)
  const steady = makeSteady()
  await store(world, subject, steady.slice(0, 320))
  t.is((await gate(world, subject)).moved, 'active')
  t.is((await readServed(world, subject)).served_freshness_s, 10)
  await serveSince(world, subject, shadowMs + 1_600_000)
  const version = await readVersion(world, subject)
  await store(world, subject, heldOutBy(subject, steady.slice(320)))
  t.like(await gate(world, subject), { moved: null, touchesRules: true })
  t.is(await readVersion(world, subject), version + 1)
  t.like(await readServed(world, subject), { served_freshness_s: 60, proven: true })
  const last = (await readTrail(world, subject)).at(-1)
  t.like(last, { from_state: 'active', to_state: 'active', actor: 'gate' })
  t.is(last?.reason, 'proven for results up to 1 minute old, previously 10 seconds')
})

/** Each of 20 inputs runs twice within two seconds, and then again after 40; most of them in the last rounds only. */
const makePairs = (fromMs: number, rounds: number, contentOf: (input: number, round: number) => string): EventSeed[] =>
  Array.from({ length: rounds * 20 }, (_, at) => {
    const [round, input] = [Math.floor(at / 20), at % 20]
    if (input > 3 && round < rounds - 6) return []
    const more = { inputHash: `input ${input}`, contentHash: contentOf(input, round) }
    const startMs = fromMs + at * 2_000
    return [makeExecution(startMs, more), makeExecution(startMs + 1_000, more)]
  }).flat()

/** From noon on, the results of half of the inputs change in each round: they are right only up to an age of ten seconds. */
const makeChanging = (): EventSeed[] =>
  makePairs(noonMs, 3, (input, round) => (input % 2 === 0 ? 'same' : `round ${round}`))

test('if results begin to change within the served age, a rule steps down to an age that is still proven', async (t) => {
  const subject = await makeServing(makePairs(shadowMs, 180, () => 'same'))
  t.is((await readServed(world, subject)).served_freshness_s, 60)
  await store(world, subject, heldOutBy(subject, makeChanging()))
  t.like(await gate(world, subject), { moved: null, touchesRules: true })
  t.is((await readServed(world, subject)).served_freshness_s, 10)
  t.regex(await lastReason(subject), /^now serves results up to 10 seconds old, previously 1 minute: /)
  t.like((await readShown(world, subject)).score, { steps_down: 1, last_breach: { freshness_s: 60 } })
})

test('while the history of an active rule is read anew, it serves what it has served', async (t) => {
  const subject = await makeServing(makePairs(shadowMs, 180, () => 'same'))
  await store(world, subject, heldOutBy(subject, makeChanging()))
  await gate(world, subject)
  const look = async (): Promise<object> => ({
    served: await readServed(world, subject),
    version: await readVersion(world, subject),
    trail: await readTrail(world, subject),
    isProven: (await readShown(world, subject)).score?.proven,
  })
  const before = await look()
  t.like(before, { served: { served_freshness_s: 10, proven: true }, isProven: true })
  await query('delete from ladders where workspace_id = $1', [subject.workspaceId])
  // Up to there, all results are the same, and an age of one minute is proven.
  t.like(await gate(world, subject, undefined, { batch: 1_600, batches: 1 }), { complete: false, touchesRules: false })
  t.true((await readShown(world, subject)).score?.rungs[1]?.rung_proven)
  t.deepEqual(await look(), before)
  t.like(await gate(world, subject), { complete: true, touchesRules: false })
  t.deepEqual(await look(), before)
})

/** From noon on, every result changes every 20 s. */
const makeDrifting = (): EventSeed[] =>
  makeEvery(1_000, 300, noonMs, (at) => ({
    inputHash: `input ${at % 4}`,
    contentHash: `content ${Math.floor(at / 20)}`,
  }))

test('calls that the rule did not hold out are no trials of it, but their new results end the serving of the old ones', async (t) => {
  const subject = await makeServing(makeSteady())
  const [own, other] = [makeDrifting().slice(0, 150), makeDrifting().slice(150)]
  await store(world, subject, [...own, ...heldOutBy(absent(), other)])
  t.is((await gate(world, subject)).moved, null)
  t.like((await readShown(world, subject)).score, { watch: { trials: 0, wrong: 0 }, steps_down: 0 })
  t.deepEqual((await readServed(world, subject)).inputs, [])
})

test('a rule whose results change at every age after noon is disabled, with the reason', async (t) => {
  const subject = await makeServing(makeSteady())
  const version = await readVersion(world, subject)
  t.deepEqual((await readServed(world, subject)).inputs, fourInputs)
  const drifting = makeDrifting()
  await store(world, subject, heldOutBy(subject, drifting))
  t.like(await gate(world, subject), { moved: 'disabled', touchesRules: true })
  t.is(await readVersion(world, subject), version + 1)
  const last = (await readTrail(world, subject)).at(-1)
  t.like(last, { from_state: 'active', to_state: 'disabled', actor: 'gate' })
  t.regex(last?.reason ?? '', /^failed: more calls than allowed returned a different result than the stored one/)
  t.like(last?.measures, { phase: 'active' })
  t.deepEqual((await readServed(world, subject)).inputs, null)
})

test('a document that begins to fail is not served after its first failure, and is served again once it succeeds', async (t) => {
  const subject = await makeServing(makeSteady())
  const version = await readVersion(world, subject)
  await store(world, subject, heldOutBy(subject, [makeExecution(noonMs, { inputHash: 'input 1', ...failed })]))
  t.like(await gate(world, subject), { touchesRules: true })
  t.deepEqual((await readServed(world, subject)).inputs, ['input 0', 'input 2', 'input 3'])
  t.is(await readVersion(world, subject), version + 1)

  const revoked = makeEvery(1_000, 100, noonMs + 1_000, (at) => ({ inputHash: `input ${at % 4}`, ...failed }))
  await store(world, subject, heldOutBy(subject, revoked))
  await gate(world, subject)
  t.deepEqual((await readServed(world, subject)).inputs, [])
  // Errors counted as wrong trials as long as the rule served.
  t.true(((await readShown(world, subject)).score?.watch.wrong ?? 0) >= 2)

  const back = makeEvery(1_000, 40, noonMs + 2 * minuteMs, (at) => ({ inputHash: `input ${at % 4}` }))
  await store(world, subject, back)
  await gate(world, subject, noonMs + dayMs)
  t.deepEqual((await readServed(world, subject)).inputs, fourInputs)
})
