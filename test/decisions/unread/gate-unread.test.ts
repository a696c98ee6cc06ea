// The gate on rules about unread results, on stored events.
import test from 'ava'
import { moveDecision } from '../../../src/decisions/move.ts'
import { listMeasurements } from '../../../src/decisions/trials/list-measurements.ts'
import type { EventSeed } from '../../_kit/events.ts'
import { useDatabase } from '../../_kit/use-database.ts'
import {
  activeMs,
  dayMs,
  gate,
  makeExecution,
  readServed,
  readShown,
  readTrail,
  type Subject,
  shadowMs,
  store,
} from '../_gated.ts'
import { blockMs, makeBlocks, makeSession, makeUnread } from './_unread.ts'

const world = useDatabase()
const { db, query } = world

/** 80 blocks are 14 hours. */
const enough = 85
const laterMs = shadowMs + 3 * dayMs

type Score = Record<string, unknown> & { watch: { trials: number; wrong: number } }
const readScore = async (subject: Subject): Promise<Score> =>
  (await readShown(world, subject)).score as unknown as Score
const heldOutOf = ({ decisionId }: Subject): Partial<EventSeed> => ({ holdout: true, decisionId })
const readVersion = async ({ workspaceId }: Subject): Promise<number> =>
  Number((await query<{ v: string }>('select rules_version as v from workspaces where id = $1', [workspaceId]))[0]?.v)

test('a tool whose results no model uses is proven after enough blocks, and not before', async (t) => {
  const subject = await makeUnread(world)
  const seeds = makeBlocks(shadowMs, enough, 2)
  await store(world, subject, seeds.slice(0, 40 * 4))
  t.like(await gate(world, subject, laterMs), { moved: null, verdict: 'inconclusive', trials: 80, complete: true })
  t.like(await readScore(subject), { proven: false, blocks: 40, wrong: 0, evidence_needed: 20, block_s: 600 })
  const version = await readVersion(subject)
  await store(world, subject, seeds.slice(40 * 4))
  t.like(await gate(world, subject, laterMs), { moved: 'active', verdict: 'pass', trials: 170, touchesRules: true })
  t.is(await readVersion(subject), version + 1)
  t.like(await readShown(world, subject), { state: 'active', shadow_samples: 170, shadow_match_rate: 1 })
  t.is(
    (await readTrail(world, subject)).at(-1)?.reason,
    'proven: a model uses the result in at most 5 % of sessions, at 95 % confidence (85 periods, used in 0 of 170 sessions)',
  )
  const [row] = await query('select proven, inputs, served_freshness_s from decisions where id = $1', [
    subject.decisionId,
  ])
  t.deepEqual(row, { proven: true, inputs: null, served_freshness_s: 86_400 })
  const points = await listMeasurements(db, subject.workspaceId, subject.decisionId, undefined)
  t.like(points.ok ? points.value.points.at(-1) : null, { trial: 170, matches: 170, rate: 1 })
})

test('a burst proves nothing, however many sessions it has', async (t) => {
  const subject = await makeUnread(world)
  await store(world, subject, makeBlocks(shadowMs, 1, 300))
  t.like(await gate(world, subject, laterMs), { moved: null, verdict: 'inconclusive' })
  t.like(await readScore(subject), { blocks: 1, trials: 50 })
})

test('a tool whose results are used in some sessions is not proven, and in many it is refuted', async (t) => {
  const [some, many] = [await makeUnread(world), await makeUnread(world)]
  await store(
    world,
    some,
    makeBlocks(shadowMs, enough, 2, (block, nth) => nth === 0 && block % 10 === 0),
  )
  t.like(await gate(world, some, laterMs), { moved: null, verdict: 'inconclusive' })
  t.like(await readScore(some), { wrong: 9, wrong_share: 0.052941176 })
  await store(
    world,
    many,
    makeBlocks(shadowMs, enough, 2, (_, nth) => nth === 0),
  )
  t.like(await gate(world, many, laterMs), { moved: 'disabled', verdict: 'fail' })
  t.regex((await readTrail(world, many)).at(-1)?.reason ?? '', /^failed: a model used the result in 85 of 170 sessions/)
  // After a user sends it back to shadow, its evidence starts from zero.
  await moveDecision({ db }, { ...many, to: 'shadow', actor: 'user' })
  t.like(await gate(world, many, laterMs + dayMs), { moved: null, verdict: 'inconclusive', trials: 0 })
})

test('a tool whose results others than the model receive is refuted, though no model uses them, and a rule on it ends', async (t) => {
  const shown = (seeds: readonly EventSeed[]): EventSeed[] =>
    seeds.map((one) => (one.kind === 'tool' ? { ...one, read: [one.callId ?? ''] } : one))
  const subject = await makeUnread(world)
  await store(world, subject, shown(makeBlocks(shadowMs, enough, 2)))
  t.like(await gate(world, subject, laterMs), { moved: 'disabled', verdict: 'fail' })
  t.like(await readScore(subject), { wrong: 170 })
  const active = await makeUnread(world, { state: 'active' })
  const executions = makeBlocks(activeMs, 5, 1, undefined, heldOutOf(active)).filter(({ kind }) => kind === 'tool')
  await store(world, active, shown(executions))
  t.like(await gate(world, active, activeMs + dayMs), { moved: 'disabled' })
  t.like(await readScore(active), { watch: { trials: 5, wrong: 5 } })
})

test('fewer sessions than the decision asks for are no proof', async (t) => {
  const subject = await makeUnread(world, { config: { min_samples: 100 } })
  await store(world, subject, makeBlocks(shadowMs, enough, 1))
  t.like(await gate(world, subject, laterMs), { moved: null, verdict: 'pass', trials: enough })
  t.like(await readServed(world, subject), { proven: false })
  t.like(await readScore(subject), { proven: false })
})

test('a part of the sessions is no proof', async (t) => {
  const subject = await makeUnread(world)
  await store(world, subject, makeBlocks(shadowMs, enough + 40, 2))
  const bounds = { batch: 200, batches: 1 }
  const part = await gate(world, subject, laterMs, bounds)
  t.like(part, { moved: null, complete: false })
  t.like(await readServed(world, subject), { proven: false })
})

test('other agents, other versions and tools without the claim do not count', async (t) => {
  const subject = await makeUnread(world)
  await store(world, subject, [
    ...makeBlocks(shadowMs, enough, 1, undefined, { agent: 'other' }),
    ...makeBlocks(shadowMs, enough, 1, undefined, { toolVersion: '2' }),
    ...makeBlocks(shadowMs, enough, 1, undefined, { attestedUnread: false, attested: true }),
    ...makeBlocks(shadowMs, enough, 1, undefined, { served: true }),
  ])
  t.like(await gate(world, subject, laterMs), { moved: null, verdict: 'inconclusive', trials: 0 })
})

test('a result that a later trace of the session uses counts against the rule', async (t) => {
  const subject = await makeUnread(world)
  const first = makeSession(shadowMs, false, { session: 'chat' })
  const callId = first[0]?.callId ?? ''
  const later: EventSeed = {
    ...makeExecution(shadowMs + 3_600_000, { kind: 'llm', tool: null, inputHash: null, session: 'chat', callId: null }),
    attested: false,
    consumed: [callId],
    read: [callId],
  }
  await store(world, subject, first)
  const soonMs = shadowMs + 3 * blockMs
  t.like(await gate(world, subject, soonMs), { trials: 1 })
  t.like(await readScore(subject), { wrong: 0 })
  await store(world, subject, [later])
  // A day later the count is final.
  t.like(await gate(world, subject, laterMs), { trials: 1 })
  t.like(await readScore(subject), { wrong: 1 })
  const kept = await query('select matched, age_s from decision_trials where decision_id = $1', [subject.decisionId])
  t.deepEqual(kept, [{ matched: false, age_s: null }])
})

test('sessions whose reading is not known yet, and results that stood in no prompt, are no trials', async (t) => {
  const subject = await makeUnread(world)
  const [unsettled, lonely] = [makeSession(shadowMs, false), makeSession(shadowMs + 1_000, false).slice(0, 1)]
  await store(world, subject, [...unsettled, ...lonely])
  await query('update traces set settled = false where workspace_id = $1', [subject.workspaceId])
  t.like(await gate(world, subject, shadowMs + 3 * blockMs), { trials: 0 })
  t.like(await gate(world, subject, laterMs), { trials: 1 })
})

test('a tool with traces that take hours is not refuted by the few sessions that use its result', async (t) => {
  const subject = await makeUnread(world)
  await store(
    world,
    subject,
    makeBlocks(shadowMs, 12, 50, (block, nth) => nth === 0 && block % 6 === 0),
  )
  await query('update traces set settled = false where workspace_id = $1', [subject.workspaceId])
  const openMs = shadowMs + 12 * blockMs + 900_000
  t.like(await gate(world, subject, openMs), { moved: null, verdict: 'inconclusive', trials: 2 })
  t.like(await readScore(subject), { wrong: 2 })
  t.like(await gate(world, subject, laterMs), { moved: null, verdict: 'inconclusive', trials: 600 })
  t.like(await readScore(subject), { wrong: 2 })
})

test('the newest thousand sessions of each outcome are stored', async (t) => {
  const subject = await makeUnread(world, { config: { min_samples: 10_000 } })
  await store(
    world,
    subject,
    makeBlocks(shadowMs, 60, 24, (_, nth) => nth >= 23),
  )
  await store(world, subject, makeBlocks(shadowMs + 60 * blockMs, 1, 5))
  t.like(await gate(world, subject, shadowMs + 60 * blockMs + 900_000), { trials: 1_440 })
  t.like(await gate(world, subject, laterMs), { trials: 1_445 })
  const kept = await query(
    `select matched, count(*)::int, max(start_time) > $2 as newest from decision_trials where decision_id = $1 group by 1 order by 1`,
    [subject.decisionId, new Date(shadowMs + 60 * blockMs)],
  )
  t.deepEqual(kept, [
    { matched: false, count: 60, newest: false },
    { matched: true, count: 1_000, newest: true },
  ])
})

test('frequent measurements give the same numbers, in whatever order the history arrives', async (t) => {
  // Keeps the decision in shadow.
  const config = { min_samples: 10_000 }
  const [often, once] = [await makeUnread(world, { config }), await makeUnread(world, { config })]
  const seeds = makeBlocks(shadowMs, 150, 2, (block, nth) => nth === 0 && block % 60 === 7)
  const parts = Array.from({ length: 6 }, (_, nth) => seeds.slice(nth * 100, (nth + 1) * 100))
  for (const [nth, at] of [3, 0, 5, 1, 4, 2].entries()) {
    await store(world, often, parts[at] ?? [])
    await gate(world, often, shadowMs + dayMs + nth * 4 * 3_600_000)
  }
  await store(world, once, seeds)
  await gate(world, often, laterMs)
  await gate(world, once, laterMs)
  t.is((await readScore(once))['blocks'], 150)
  // What it is expected to save is of the time at which its calls were last counted.
  const [one, other] = [await readScore(often), await readScore(once)]
  t.deepEqual({ ...one, worth: null }, { ...other, worth: null })
})

test('the watch ends an active rule when sessions begin to use the result', async (t) => {
  const subject = await makeUnread(world, { state: 'active' })
  await query('update decisions set proven = true where id = $1', [subject.decisionId])
  const heldOut = heldOutOf(subject)
  await store(world, subject, makeBlocks(activeMs, 60, 2, undefined, heldOut))
  const nowMs = activeMs + 60 * blockMs
  t.like(await gate(world, subject, nowMs), { moved: null })
  t.like(await readScore(subject), { proven: true, watch: { trials: 120, wrong: 0 }, wrong_share: 0 })
  const version = await readVersion(subject)
  let sessions = 0
  for (let moved = null as string | null; moved === null && sessions < 20; sessions += 1) {
    await store(world, subject, makeSession(nowMs + sessions * 60_000, true, heldOut))
    moved = (await gate(world, subject, nowMs + (sessions + 1) * 60_000)).moved
  }
  t.true(sessions <= 5, `${sessions}`)
  t.is(await readVersion(subject), version + 1)
  t.is((await readShown(world, subject)).state, 'disabled')
  t.regex(
    (await readTrail(world, subject)).at(-1)?.reason ?? '',
    /^failed: models used the result in .* sessions in the holdout\)$/,
  )
})

test('the watch does not end a rule because sessions that do not use the result take hours', async (t) => {
  const subject = await makeUnread(world, { state: 'active' })
  const makeHour = (usesOf: (nth: number) => boolean): EventSeed[] =>
    makeBlocks(activeMs, 6, 50, (_, nth) => usesOf(nth), heldOutOf(subject))
  await store(
    world,
    subject,
    makeHour((nth) => nth === 0),
  )
  const setSettled = 'update traces set settled = $2 where workspace_id = $1'
  await query(setSettled, [subject.workspaceId, false])
  const nowMs = activeMs + 6 * blockMs
  t.like(await gate(world, subject, nowMs), { moved: null })
  t.like(await readScore(subject), { watch: { trials: 300, wrong: 6 }, wrong_share: 0.02 })
  await query(setSettled, [subject.workspaceId, true])
  t.like(await gate(world, subject, nowMs), { moved: null })
  t.like(await readScore(subject), { watch: { trials: 300, wrong: 6 } })
})

test('repeated use in one session counts once and does not end serving', async (t) => {
  const subject = await makeUnread(world, { state: 'active' })
  const more = { ...heldOutOf(subject), session: 'one' }
  const calls = Array.from({ length: 9 }, (_, nth) => makeSession(activeMs + nth * 1_000, true, more))
  await store(world, subject, calls.flat())
  t.like(await gate(world, subject, activeMs + blockMs), { moved: null })
  t.like(await readScore(subject), { watch: { trials: 1, wrong: 1 }, wrong_share: 1 })
})

test('a forced rule is not shown as proven until the gate has proven it; then SDKs are notified', async (t) => {
  const subject = await makeUnread(world, { state: 'active' })
  await query('update decisions set forced = true where id = $1', [subject.decisionId])
  const seeds = makeBlocks(activeMs, enough, 2, undefined, heldOutOf(subject))
  await store(world, subject, seeds.slice(0, 100))
  t.like(await gate(world, subject, activeMs + dayMs), { moved: null, touchesRules: false })
  t.like(await readScore(subject), { proven: false, forced: true })
  const version = await readVersion(subject)
  await store(world, subject, seeds.slice(100))
  t.like(await gate(world, subject, activeMs + dayMs), { moved: null, touchesRules: true })
  t.like(await readScore(subject), { proven: true, forced: false })
  t.is(await readVersion(subject), version + 1)
})

test('served sessions are compared with those that were held out, from five on each side', async (t) => {
  const subject = await makeUnread(world, { state: 'active' })
  const served = { served: true, decisionId: subject.decisionId, attestedUnread: false }
  const scored = (seeds: EventSeed[], score: number): EventSeed[] =>
    seeds.map((one) => ({ ...one, qualityScore: score }))
  const heldOut = makeBlocks(activeMs, 4, 1, undefined, heldOutOf(subject)).map((one) =>
    one.kind === 'llm' ? { ...one, costUsd: 0.003 } : one,
  )
  await store(world, subject, [...scored(makeBlocks(activeMs, 10, 1, undefined, served), 0.8), ...scored(heldOut, 0.9)])
  const nowMs = activeMs + dayMs
  await gate(world, subject, nowMs)
  type Outcomes = Record<string, { difference: number | null; sessions: number[] }>
  const before = (await readScore(subject))['outcomes'] as Outcomes
  t.like(before['llm_calls'], { served: null, difference: null, sessions: [10, 4] })
  t.is((await readShown(world, subject)).quality_delta, null)
  const fifth = makeSession(activeMs + dayMs / 2, false, { ...heldOutOf(subject), status: 'error' })
  await store(world, subject, scored(fifth, 0.9))
  await gate(world, subject, nowMs)
  const after = (await readScore(subject))['outcomes'] as Outcomes
  t.like(after['llm_calls'], { served: 1, held_out: 1, difference: 0, lower: 0, upper: 0, sessions: [10, 5] })
  t.like(after['cost_usd'], { served: 0.001, held_out: 0.0026, difference: -0.0016 })
  t.like(after['errors'], { served: 0, held_out: 0.2, difference: -0.2 })
  t.like(after['quality'], { served: 0.8, held_out: 0.9, difference: -0.1 })
  t.is((await readShown(world, subject)).quality_delta, -0.1)
})
