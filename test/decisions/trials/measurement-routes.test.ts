import { randomUUID } from 'node:crypto'
import test from 'ava'
import { openReads, type Reads } from '../../_kit/reads.ts'
import { activeMs, dayMs, gate, makeDecision, makeExecution, makeExecutions, shadowMs, store } from '../_gated.ts'

type Point = { trial: number; time: string; matches: number; rate: number; lower: number; upper: number }
type Measurements = { floor: number; alpha: number; points: Point[] }
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

test('a trial shows what would have been served for it, how old that was, and whether and why it counts', async (t) => {
  const workspaceId = await reads.makeWorkspace()
  const subject = await makeDecision(reads.db, { workspaceId })
  const first = makeExecution(shadowMs)
  const second = makeExecution(shadowMs + 1_500, { session: 'one' })
  const third = makeExecution(shadowMs + 61_500, { session: 'one', contentHash: 'other' })
  const fourth = makeExecution(shadowMs + 62_000, { contentHash: null, keyId: null })
  await store(reads.db, subject, [first, second, third, fourth])
  const { body } = await reads.get<Page>(workspaceId, `decisions/${subject.decisionId}/trials`)
  const none = { candidate_trace_id: null, candidate_span_id: null, age_s: null }
  const served = (one: typeof first) => ({ candidate_trace_id: one.trace, candidate_span_id: one.span })
  const own = (one: typeof first) => ({ at: one.start, trace_id: one.trace, span_id: one.span })
  t.deepEqual(body, {
    items: [
      { ...own(first), ...none, matched: null, counted: false, excluded_reason: 'no_candidate' },
      { ...own(second), ...served(first), age_s: 1.5, matched: true, counted: true, excluded_reason: null },
      { ...own(third), ...served(second), age_s: 60, matched: false, counted: false, excluded_reason: 'clustered' },
      {
        ...own(fourth),
        ...served(third),
        age_s: 0.5,
        matched: null,
        counted: false,
        excluded_reason: 'no_content_hash',
      },
    ],
    next_cursor: null,
  })
})

test('pages follow one another without gap or repetition, whatever the filter, and count as a whole read does', async (t) => {
  const workspaceId = await reads.makeWorkspace()
  const subject = await makeDecision(reads.db, { workspaceId, config: { freshness_s: 3_600 } })
  const executions = makeExecutions(150, shadowMs, (at) => ({
    session: at % 3 === 0 ? `session ${at % 5}` : null,
    contentHash: at % 10 === 0 ? 'other' : 'same',
  }))
  await store(reads.db, subject, executions)
  const path = `decisions/${subject.decisionId}/trials`
  const readAll = async (query: Record<string, string | number>): Promise<Trial[]> => {
    const items: Trial[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const more: Record<string, string> = cursor === '' ? {} : { cursor }
      const { body }: { body: Page } = await reads.get<Page>(workspaceId, path, { ...query, ...more })
      items.push(...body.items)
      cursor = body.next_cursor
    }
    return items
  }
  const whole = await readAll({ limit: 200 })
  t.is(whole.length, 150)
  t.true(whole.some((one) => one.excluded_reason === 'clustered'))
  t.deepEqual(await readAll({ limit: 7 }), whole)
  for (const matched of [true, false]) {
    const expected = whole.filter((one) => one.matched === matched)
    t.true(expected.length > 5)
    t.deepEqual(await readAll({ limit: 4, matched: String(matched) }), expected)
  }
})

test('a cursor is of one decision and one filter', async (t) => {
  const workspaceId = await reads.makeWorkspace()
  const subject = await makeDecision(reads.db, { workspaceId })
  const other = await makeDecision(reads.db, { workspaceId, type: 'suppress_dead' })
  await store(reads.db, subject, makeExecutions(10, shadowMs))
  const { body } = await reads.get<Page>(workspaceId, `decisions/${subject.decisionId}/trials`, { limit: 3 })
  const cursor = body.next_cursor ?? ''
  const status = async (id: string, query: Record<string, string>) =>
    (await reads.get(workspaceId, `decisions/${id}/trials`, { cursor, ...query })).status
  t.is(await status(subject.decisionId, {}), 200)
  t.is(await status(other.decisionId, {}), 422)
  t.is(await status(subject.decisionId, { matched: 'true' }), 422)
  t.is(await status(subject.decisionId, { cursor: `${cursor}x` }), 422)
})

test('the measurements grow trial by trial to the numbers of the decision itself', async (t) => {
  const workspaceId = await reads.makeWorkspace()
  const subject = await makeDecision(reads.db, { workspaceId })
  await store(
    reads.db,
    subject,
    makeExecutions(61, shadowMs, (at) => ({ contentHash: at === 20 ? 'other' : 'same' })),
  )
  await gate(reads.db, subject)
  const { body } = await reads.get<Measurements>(workspaceId, `decisions/${subject.decisionId}/measurements`)
  t.is(body.floor, 0.95)
  t.is(body.alpha, 0.05)
  t.deepEqual(
    body.points.map(({ trial }) => trial),
    Array.from({ length: 60 }, (_, at) => at + 1),
  )
  t.like(body.points[0], { matches: 1, rate: 1, upper: 1, time: '2026-03-01T00:01:00.000Z' })
  const last = body.points.at(-1)
  const [row] = await reads.db.query<{ score: Record<string, unknown>; shadow_match_rate: number }>(
    'select score, shadow_match_rate from decisions where id = $1',
    [subject.decisionId],
  )
  t.like(row?.score, { trials: last?.trial, lower: last?.lower, upper: last?.upper })
  t.is(row?.shadow_match_rate, last?.rate)
})

test('of many trials 500 points are told, the last among them', async (t) => {
  const workspaceId = await reads.makeWorkspace()
  const subject = await makeDecision(reads.db, { workspaceId })
  await store(reads.db, subject, makeExecutions(1_202, shadowMs))
  const { body } = await reads.get<Measurements>(workspaceId, `decisions/${subject.decisionId}/measurements`)
  t.is(body.points.length, 500)
  t.like(body.points.at(-1), { trial: 1_201, matches: 1_201 })
  t.is(new Set(body.points.map(({ trial }) => trial)).size, 500)
})

test('each phase has its own; in the active one trials are numbered by sequence', async (t) => {
  const workspaceId = await reads.makeWorkspace()
  const subject = await makeDecision(reads.db, { workspaceId, state: 'active' })
  await store(reads.db, subject, [...makeExecutions(30, shadowMs), ...makeExecutions(121, activeMs)])
  await gate(reads.db, subject, activeMs + dayMs)
  const path = `decisions/${subject.decisionId}/measurements`
  const read = async (query: Record<string, string> = {}) =>
    (await reads.get<Measurements>(workspaceId, path, query)).body.points.map(({ trial }) => trial)
  const count = (length: number): number[] => Array.from({ length }, (_, at) => at + 1)
  t.deepEqual(await read({ phase: 'shadow' }), count(29))
  t.deepEqual(await read({ phase: 'active' }), [...count(81), ...count(39)])
  t.deepEqual(await read(), [...count(81), ...count(39)])
  const trials = await reads.get<Page>(workspaceId, `decisions/${subject.decisionId}/trials`, { phase: 'shadow' })
  t.is(trials.body.items.length, 30)
})

test('what was never in shadow has nothing to show, and a decision of elsewhere is not found', async (t) => {
  const workspaceId = await reads.makeWorkspace()
  const proposed = await makeDecision(reads.db, { workspaceId, state: 'proposed', config: { floor: 0.9 } })
  const elsewhere = await makeDecision(reads.db, { workspaceId: await reads.makeWorkspace() })
  const path = `decisions/${proposed.decisionId}`
  t.deepEqual((await reads.get(workspaceId, `${path}/measurements`)).body, { floor: 0.9, alpha: 0.05, points: [] })
  t.deepEqual((await reads.get(workspaceId, `${path}/trials`)).body, { items: [], next_cursor: null })
  for (const id of [elsewhere.decisionId, randomUUID()]) {
    t.is((await reads.get(workspaceId, `decisions/${id}/measurements`)).status, 404)
    t.is((await reads.get(workspaceId, `decisions/${id}/trials`)).status, 404)
  }
  t.is((await reads.get(workspaceId, `${path}/measurements`, { phase: 'proposed' })).status, 422)
  t.is((await reads.get(workspaceId, `${path}/trials`, { matched: 'maybe' })).status, 422)
})
