import { randomUUID } from 'node:crypto'
import test from 'ava'
import { openReads, type Reads } from '../../_kit/reads.ts'
import {
  failed,
  gate,
  heldOutBy,
  makeDecision,
  makeEvery,
  makeExecution,
  readShown,
  serveSince,
  shadowMs,
  store,
} from '../_gated.ts'

type Point = { trial: number; time: string; matches: number; rate: number; lower: number; upper: number }
type Rung = {
  freshness_s: number | null
  block_s: number
  forced: boolean
  points: { time: string; evidence: number; trials: number; wrong: number }[]
}
type Measurements = { floor: number; alpha: number; points: Point[]; rungs: Rung[] }
type Trial = {
  at: string
  trace_id: string
  span_id: string
  candidate_trace_id: string | null
  candidate_span_id: string | null
  age_s: number | null
  matched: boolean | null
  counted: boolean
  excluded_reason: string | null
}
type Page = { items: Trial[]; next_cursor: string | null }

let reads: Reads
test.before(async () => {
  reads = await openReads()
})
test.after.always(async () => await reads.stop())

const trialsOf = (decisionId: string): string => `decisions/${decisionId}/trials`

test('a trial shows what would have been served for it, how old that was, and whether it would have been right', async (t) => {
  const workspaceId = await reads.makeWorkspace()
  const subject = await makeDecision(reads.db, { workspaceId })
  // The first three prove the input; the fourth is answered from the third, since no execution for the rule came in between.
  const [first, second, third] = [0, 1_000, 2_000].map((at) => makeExecution(shadowMs + at))
  const fourth = makeExecution(shadowMs + 5_500)
  const fifth = makeExecution(shadowMs + 7_700, { ...failed })
  if (first === undefined || second === undefined || third === undefined) throw new Error('three executions')
  await store(reads.db, subject, [first, second, third, fourth, fifth])
  // Before the first pass of the gate there are no trials.
  t.deepEqual((await reads.get<Page>(workspaceId, trialsOf(subject.decisionId))).body, { items: [], next_cursor: null })
  await gate(reads.db, subject)
  const { body } = await reads.get<Page>(workspaceId, trialsOf(subject.decisionId))
  const common = {
    candidate_trace_id: third.trace,
    candidate_span_id: third.span,
    counted: true,
    excluded_reason: null,
  }
  const own = (one: typeof first) => ({ at: new Date(one.start).toISOString(), trace_id: one.trace, span_id: one.span })
  const trials = body.items.map(({ age_s: age, ...trial }) => ({
    ...trial,
    age: age === null ? null : Math.round(age * 10) / 10,
  }))
  // A held-out trial is executed, and is the candidate of the next one: holdouts are drawn by span.
  t.like(trials.at(-2), { ...own(fourth), ...common, age: 3.3, matched: true })
  t.like(trials.at(-1), { ...own(fifth), counted: true, excluded_reason: null, matched: false })
})

/** Makes a decision with kept trials, some of which are wrong. */
async function makeTried(count: number): Promise<{ workspaceId: string; decisionId: string }> {
  const workspaceId = await reads.makeWorkspace()
  const subject = await makeDecision(reads.db, { workspaceId })
  await store(
    reads.db,
    subject,
    makeEvery(1_000, count, shadowMs, (at) => ({
      inputHash: `input ${at % 3}`,
      contentHash: at % 50 === 49 ? 'other' : 'same',
    })),
  )
  await gate(reads.db, subject)
  return subject
}

test('pages have no gap and no repetition, whatever the filter', async (t) => {
  const { workspaceId, decisionId } = await makeTried(300)
  const readAll = async (query: Record<string, string | number>): Promise<Trial[]> => {
    const items: Trial[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const more: Record<string, string> = cursor === '' ? {} : { cursor }
      const { body }: { body: Page } = await reads.get<Page>(workspaceId, trialsOf(decisionId), { ...query, ...more })
      items.push(...body.items)
      cursor = body.next_cursor
    }
    return items
  }
  const whole = await readAll({ limit: 200 })
  t.true(whole.length > 150)
  t.deepEqual(
    whole.map(({ at }) => at),
    whole.map(({ at }) => at).toSorted(),
  )
  t.deepEqual(await readAll({ limit: 7 }), whole)
  for (const matched of [true, false]) {
    const expected = whole.filter((one) => one.matched === matched)
    t.true(expected.length >= 2)
    t.deepEqual(await readAll({ limit: 2 + Number(matched) * 20, matched: String(matched) }), expected)
  }
})

test('the newest thousand trials of each outcome are stored', async (t) => {
  const { workspaceId, decisionId } = await makeTried(300)
  await reads.db.query(
    `insert into decision_trials (workspace_id, decision_id, start_time, trace_id, span_id, age_s, matched, phase)
     select $1, $2, $3::timestamptz - n * interval '1 second', '\\x01', decode(lpad(to_hex(n), 16, '0'), 'hex'), 1, n % 2 = 0, 'shadow'
     from generate_series(1, 3000) n`,
    [workspaceId, decisionId, new Date(shadowMs)],
  )
  await store(
    reads.db,
    { workspaceId, decisionId },
    makeEvery(1_000, 30, shadowMs + 300_000, () => ({ inputHash: 'input 0' })),
  )
  await gate(reads.db, { workspaceId, decisionId })
  const rows = await reads.db.query(
    `select matched, count(*)::int as kept, max(start_time) > $2 as has_newest from decision_trials where decision_id = $1
     group by 1 order by 1`,
    [decisionId, new Date(shadowMs + 300_000)],
  )
  t.deepEqual(rows, [
    { matched: false, kept: 1_000, has_newest: false },
    { matched: true, kept: 1_000, has_newest: true },
  ])
})

test('a cursor is of one decision and one filter', async (t) => {
  const { workspaceId, decisionId } = await makeTried(60)
  const other = await makeDecision(reads.db, { workspaceId, config: { input_hash: 'another' } })
  const { body } = await reads.get<Page>(workspaceId, trialsOf(decisionId), { limit: 3 })
  const cursor = body.next_cursor ?? ''
  const status = async (id: string, query: Record<string, string>) =>
    (await reads.get(workspaceId, trialsOf(id), { cursor, ...query })).status
  t.is(await status(decisionId, {}), 200)
  t.is(await status(other.decisionId, {}), 422)
  t.is(await status(decisionId, { matched: 'true' }), 422)
  t.is(await status(decisionId, { cursor: `${cursor}x` }), 422)
})

test('the measurements grow period by period to the numbers of the decision itself', async (t) => {
  const { workspaceId, decisionId } = await makeTried(600)
  const { body } = await reads.get<Measurements>(workspaceId, `decisions/${decisionId}/measurements`)
  t.is(body.floor, 0.95)
  t.is(body.alpha, 0.05)
  const { points } = body
  t.true(points.length > 20 && points.length <= 60)
  for (const [nth, point] of points.slice(1).entries()) {
    t.true(point.trial > (points[nth]?.trial ?? 0) && point.time > (points[nth]?.time ?? ''))
    t.true(point.matches <= point.trial && point.lower <= point.rate && point.upper === 1)
  }
  const { score } = await readShown(reads.db, { workspaceId, decisionId })
  const last = points.at(-1)
  // The last point is a period that is over; the decision counts the open one as well.
  t.true(Math.abs(1 - (last?.lower ?? 0) - (score?.wrong_share_upper ?? 1)) < 1e-6)
  t.true((score?.trials ?? 0) - (last?.trial ?? 0) < 11)
})

test('points can be filtered to before or after the activation', async (t) => {
  const workspaceId = await reads.makeWorkspace()
  const subject = await makeDecision(reads.db, { workspaceId })
  await store(reads.db, subject, makeEvery(2_000, 700, shadowMs))
  t.is((await gate(reads.db, subject)).moved, 'active')
  await serveSince(reads.db, subject, shadowMs + 1_400_000)
  await store(reads.db, subject, heldOutBy(subject, makeEvery(2_000, 60, shadowMs + 1_400_000)))
  await gate(reads.db, subject)
  const read = async (query: Record<string, string> = {}): Promise<Point[]> =>
    (await reads.get<Measurements>(workspaceId, `decisions/${subject.decisionId}/measurements`, query)).body.points
  const [shadow, active, all] = [await read({ phase: 'shadow' }), await read({ phase: 'active' }), await read()]
  t.true(shadow.length > 50 && active.length > 3)
  t.deepEqual([...shadow, ...active], all)
  const activeFrom = new Date(shadowMs + 1_400_000).toISOString()
  t.true(shadow.every(({ time }) => time < activeFrom) && active.every(({ time }) => time >= activeFrom))
  const trials = async (phase: string) =>
    (await reads.get<Page>(workspaceId, trialsOf(subject.decisionId), { phase, limit: 200 })).body.items
  t.true((await trials('active')).length > 20)
  t.true((await trials('active')).every(({ at }) => at >= activeFrom))
  t.true((await trials('shadow')).every(({ at }) => at < activeFrom))
})

test('every age limit has its own evidence, and the evidence from before a breach remains', async (t) => {
  const workspaceId = await reads.makeWorkspace()
  const subject = await makeDecision(reads.db, { workspaceId })
  const makeCalls = (everyMs: number, count: number, fromMs: number, contentOf: (at: number) => string) =>
    makeEvery(everyMs, count, fromMs, (at) => ({ inputHash: `input ${at % 4}`, contentHash: contentOf(at) }))
  const steady = makeCalls(2_000, 700, shadowMs, () => 'same')
  await store(reads.db, subject, steady)
  t.is((await gate(reads.db, subject)).moved, 'active')
  const activeMs = shadowMs + 1_400_000
  await serveSince(reads.db, subject, activeMs)
  const drifting = makeCalls(1_000, 300, activeMs, (at) => `content ${Math.floor(at / 20)}`)
  await store(reads.db, subject, heldOutBy(subject, drifting))
  t.is((await gate(reads.db, subject)).moved, 'disabled')
  const { body } = await reads.get<Measurements>(workspaceId, `decisions/${subject.decisionId}/measurements`)
  t.deepEqual(
    body.rungs.map(({ freshness_s, block_s, forced }) => [freshness_s, block_s, forced]),
    [10, 60, 600, 3_600, 21_600, 86_400].map((age) => [age, age, false]),
  )
  const points = body.rungs[0]?.points ?? []
  const breach = points.findIndex(({ trials }) => trials === 0)
  t.true(points.slice(0, breach).some(({ evidence }) => evidence >= 20))
  t.like(points[breach], { evidence: 1, wrong: 0 })
  t.deepEqual(
    points.map(({ time }) => time),
    points.map(({ time }) => time).toSorted(),
  )
  // Before the first trial there is no share of right ones.
  t.true(body.points.every(({ trial }) => trial > 0))
})

test('damaged evidence is shown as empty until the gate has collected it again', async (t) => {
  const { workspaceId, decisionId } = await makeTried(300)
  const path = `decisions/${decisionId}/measurements`
  const before = (await reads.get<Measurements>(workspaceId, path)).body
  await reads.db.query(`update ladders set state = substring(state from 1 for 30) where workspace_id = $1`, [
    workspaceId,
  ])
  t.deepEqual(await reads.get(workspaceId, path), { status: 200, body: { ...before, points: [], rungs: [] } })
  await gate(reads.db, { workspaceId, decisionId })
  t.deepEqual((await reads.get<Measurements>(workspaceId, path)).body, before)
})

test('a decision that was never in shadow has no measurements, and one of another workspace is not found', async (t) => {
  const workspaceId = await reads.makeWorkspace()
  const proposed = await makeDecision(reads.db, { workspaceId, state: 'proposed', config: { floor: 0.9 } })
  const elsewhere = await makeDecision(reads.db, { workspaceId: await reads.makeWorkspace() })
  const path = `decisions/${proposed.decisionId}`
  t.deepEqual((await reads.get(workspaceId, `${path}/measurements`)).body, {
    floor: 0.9,
    alpha: 0.05,
    points: [],
    rungs: [],
  })
  t.deepEqual((await reads.get(workspaceId, `${path}/trials`)).body, { items: [], next_cursor: null })
  for (const id of [elsewhere.decisionId, randomUUID()]) {
    t.is((await reads.get(workspaceId, `decisions/${id}/measurements`)).status, 404)
    t.is((await reads.get(workspaceId, `decisions/${id}/trials`)).status, 404)
  }
  t.is((await reads.get(workspaceId, `${path}/measurements`, { phase: 'proposed' })).status, 422)
  t.is((await reads.get(workspaceId, `${path}/trials`, { matched: 'maybe' })).status, 422)
})
