// The gate on stored events: what it counts, where it moves a decision, and that its numbers are a function of the events alone.
import test from 'ava'
import { gateDecision } from '../../src/decisions/gate-decision.ts'
import { moveDecision } from '../../src/decisions/move.ts'
import type { Database, Tx } from '../../src/store/database.ts'
import { makeDatabase } from '../_kit/db.ts'
import {
  absent,
  activeMs,
  dayMs,
  gate,
  makeConsumer,
  makeDecision,
  makeExecution,
  makeExecutions,
  readShown,
  readTrail,
  type Subject,
  shadowMs,
  store,
} from './_gated.ts'

const world = await makeDatabase()
const { db, query, stop } = world
test.after.always(stop)

const readChange = async ({ decisionId }: Subject): Promise<string | undefined> =>
  (await query<{ at: string }>('select changed_at::text as at from decisions where id = $1', [decisionId]))[0]?.at

const readVersion = async ({ workspaceId }: Subject): Promise<number> =>
  Number((await query<{ v: string }>('select rules_version as v from workspaces where id = $1', [workspaceId]))[0]?.v)

test('a rule that always matches is activated as soon as that is proven, with its measures in the audit trail', async (t) => {
  const subject = await makeDecision(world)
  const executions = makeExecutions(82, shadowMs)
  await store(world, subject, executions.slice(0, 81))
  t.like(await gate(world, subject), { moved: null, verdict: 'inconclusive', trials: 80 })
  const version = await readVersion(subject)
  await store(world, subject, executions.slice(81))

  const told: unknown[] = []
  const onMoved = (...args: unknown[]): void => void told.push(args)
  const { workspaceId, decisionId } = subject
  const gated = await gateDecision({ db, nowMs: () => shadowMs + dayMs, onMoved }, workspaceId, decisionId)
  t.like(gated, { moved: 'active', verdict: 'pass', trials: 81 })
  t.deepEqual(told, [[workspaceId, decisionId, 'active']])
  t.is(await readVersion(subject), version + 1)

  const shown = await readShown(world, subject)
  t.like(shown, {
    state: 'active',
    shadow_samples: 81,
    shadow_match_rate: 1,
    quality_delta: null,
    cost_delta_usd: null,
  })
  t.is(shown.latency_delta_ms, 25 - 200)
  t.like(shown.score, {
    verdict: 'pass',
    upper: 1,
    alpha: 0.05,
    floor: 0.95,
    trials: 81,
    expected_monthly_savings_usd: null,
  })
  t.true((shown.score?.lower ?? 0) > 0.95 && (shown.score?.lower ?? 1) < 0.96)
  const trail = await readTrail(world, subject)
  t.like(trail.at(-1), { from_state: 'shadow', to_state: 'active', actor: 'gate' })
  t.is(trail.at(-1)?.reason, 'passed: 81 of 81 trials matched; at least 95.02 % match, above the required 95 %')
  t.like(trail.at(-1)?.measures, { phase: 'shadow', trials: 81, matches: 81, rate: 1, shadow_samples: 81 })
})

test('a rule that matches too seldom is disabled', async (t) => {
  const subject = await makeDecision(world)
  await store(
    world,
    subject,
    makeExecutions(40, shadowMs, (at) => ({ contentHash: `content ${at % 3}` })),
  )
  t.like(await gate(world, subject), { moved: 'disabled', verdict: 'fail' })
  t.like(await readShown(world, subject), { state: 'disabled', shadow_samples: 39, shadow_match_rate: 0 })
  t.is(
    (await readTrail(world, subject)).at(-1)?.reason,
    'failed: 0 of 39 trials matched; at most 49.5 % match, below the required 95 %',
  )
})

test('what is not decided after 14 days is disabled, and not a moment before', async (t) => {
  const subject = await makeDecision(world)
  await store(world, subject, makeExecutions(20, shadowMs))
  t.like(await gate(world, subject, shadowMs + 14 * dayMs - 1), { moved: null, verdict: 'inconclusive' })
  t.like(await gate(world, subject, shadowMs + 14 * dayMs), { moved: 'disabled', verdict: 'inconclusive' })
  t.is((await readTrail(world, subject)).at(-1)?.reason, 'inconclusive after 14 days: 19 of 19 trials matched')
})

test('fewer trials than the decision asks for never pass', async (t) => {
  const subject = await makeDecision(world, { config: { min_samples: 100 } })
  await store(world, subject, makeExecutions(100, shadowMs))
  t.like(await gate(world, subject), { moved: null, trials: 99 })
  await store(world, subject, [makeExecution(shadowMs + 7_200_000)])
  t.like(await gate(world, subject), { moved: 'active', trials: 100 })
})

test('of one session on one input one trial counts in each freshness window', async (t) => {
  const subject = await makeDecision(world, { config: { freshness_s: 3_600 } })
  await store(
    world,
    subject,
    makeExecutions(300, shadowMs, () => ({ session: 'one' })),
  )
  // Five hours of minutes; the very first execution has nothing before it.
  t.like(await gate(world, subject), { moved: null, trials: 5 })
  await store(
    world,
    subject,
    makeExecutions(10, shadowMs + 30_000, (at) => ({ session: `other ${at}` })),
  )
  t.like(await gate(world, subject), { trials: 15 })
})

test('results that nobody reads prove that they may be stale; one that is read counts against it', async (t) => {
  const subject = await makeDecision(world, { type: 'suppress_dead' })
  const executions = makeExecutions(100, shadowMs, (at) => ({ inputHash: `input ${at}`, contentHash: `content ${at}` }))
  const consumers = executions.map((one, at) => makeConsumer(one, at === 50 ? { read: [one.callId ?? ''] } : {}))
  await store(world, subject, [...executions, ...consumers.slice(0, 90)])
  t.like(await gate(world, subject), { moved: null, trials: 89 })
  t.is((await readShown(world, subject)).shadow_match_rate, 0.988764045)
})

test('a rule whose net cost is known to be positive is not activated', async (t) => {
  const subject = await makeDecision(world, { type: 'suppress_dead' })
  const executions = makeExecutions(100, shadowMs)
  const before = executions.map((one) =>
    makeConsumer(one, {
      start: new Date(Date.parse(one.start) - 1_000).toISOString(),
      span: `b${one.span.slice(1)}`,
      consumed: [],
      input: 900,
      output: 100,
    }),
  )
  // Half of what was cached stands behind the prompt before: it is the result itself.
  const after = executions.map((one) => makeConsumer(one, { input: 2_500, cached: 2_000, savingsUsd: 0.004 }))
  await store(world, subject, [...executions, ...before, ...after])
  t.like(await gate(world, subject), { moved: 'disabled', verdict: 'pass' })
  t.is((await readShown(world, subject)).cost_delta_usd, 0.002)
  t.is(
    (await readTrail(world, subject)).at(-1)?.reason,
    'the rule would cost more than it saves: 0.002 USD for each served call',
  )
})

test('money, time and quality have their sign', async (t) => {
  const subject = await makeDecision(world, { state: 'active' })
  const { decisionId } = subject
  const at = activeMs
  const real = makeExecutions(10, at, () => ({ providedCostUsd: 0.02, holdout: true, decisionId, qualityScore: 0.9 }))
  const served = makeExecutions(190, at + 30_000, () => ({
    served: true,
    decisionId,
    inputHash: null,
    contentHash: null,
    keyId: null,
    attested: false,
    durationUs: 10_000,
    qualityScore: 0.8,
  }))
  const cached = real.map((one) => makeConsumer(one, { input: 1_000, cached: 800, savingsUsd: 0.001 }))
  const uncached = served.map((one) => makeConsumer(one, { input: 1_000, cached: 0, savingsUsd: 0 }))
  await store(world, subject, [...real, ...served, ...cached, ...uncached])
  t.like(await gate(world, subject, at + dayMs), { moved: null, trials: 9 })
  const shown = await readShown(world, subject)
  // 0.001 lost of the cache, 0.02 saved. Held-out calls are money not saved, and not money lost.
  t.is(shown.cost_delta_usd, -0.019)
  t.is(shown.latency_delta_ms, 10 - 200)
  t.is(shown.quality_delta, -0.1)
  // The rule was asked for less than 24 hours.
  t.is(shown.score?.expected_monthly_savings_usd, null)
})

test('an active rule that begins to drift is disabled soon, however long it was good', async (t) => {
  const subject = await makeDecision(world, { state: 'active' })
  const good = makeExecutions(1_000, activeMs)
  await store(world, subject, good)
  const later = activeMs + 30 * dayMs
  t.like(await gate(world, subject, later), { moved: null })
  const version = await readVersion(subject)
  const from = activeMs + 1_000 * 60_000
  const drifting = makeExecutions(20, from, (at) => ({ contentHash: `content ${at}` }))
  let trials = 0
  for (const one of drifting) {
    await store(world, subject, [one])
    trials += 1
    if ((await gate(world, subject, later)).moved === 'disabled') break
  }
  t.true(trials < 12, `${trials}`)
  t.is(await readVersion(subject), version + 1)
  const last = (await readTrail(world, subject)).at(-1)
  t.like(last, { from_state: 'active', to_state: 'disabled', actor: 'gate' })
  t.regex(last?.reason ?? '', /^failed: /)
  t.like(last?.measures, { phase: 'active', verdict: 'fail' })
  t.like((await readShown(world, subject)).score, { verdict: 'fail' })
})

test('the watch gives the same from its memo as from activation, and as when looked at often', async (t) => {
  const often = await makeDecision(world, { state: 'active', config: { freshness_s: 7_200 } })
  const once = await makeDecision(world, { state: 'active', config: { freshness_s: 7_200 } })
  const later = activeMs + 40 * dayMs
  const executions = makeExecutions(900, activeMs, (at) => ({
    session: at % 4 === 0 ? `session ${at % 12}` : null,
    contentHash: at % 211 === 0 ? 'other' : 'same',
  }))
  for (let from = 0; from < executions.length; from += 100) {
    await store(world, often, executions.slice(from, from + 100))
    await gate(world, often, later)
  }
  await store(world, once, executions)
  await gate(world, once, later)
  const shown = await readShown(world, often)
  t.true((shown.score?.watch?.trials ?? 0) > 0)
  t.deepEqual(await readShown(world, once), shown)

  const readMemo = async (): Promise<number> =>
    Number(
      (await query<{ at: Date }>('select watch_from as at from decisions where id = $1', [often.decisionId]))[0]?.at,
    )
  t.true((await readMemo()) > activeMs + 3_600_000, 'the memo moved on')
  await query('update decisions set watch_from = activated_at, measured_at = null where id = $1', [often.decisionId])
  await gate(world, often, later)
  t.deepEqual(await readShown(world, often), shown)
  t.true((await readMemo()) > activeMs + 3_600_000)
})

test('what came lately leaves the memo where late events may still change what it stands on', async (t) => {
  const subject = await makeDecision(world, { state: 'active' })
  await store(world, subject, makeExecutions(300, activeMs))
  await gate(world, subject, activeMs + dayMs)
  const [row] = await query<{ at: Date }>('select watch_from as at from decisions where id = $1', [subject.decisionId])
  t.is(Number(row?.at), activeMs)
})

test('looking again changes nothing, and says so: nothing has changed since', async (t) => {
  for (const state of ['shadow', 'active'] as const) {
    const subject = await makeDecision(world, { state })
    const from = state === 'shadow' ? shadowMs : activeMs
    await store(
      world,
      subject,
      makeExecutions(60, from, (at) => ({ providedCostUsd: 0.001 * (at % 7) })),
    )
    await gate(world, subject)
    const [shown, changed] = [await readShown(world, subject), await readChange(subject)]
    t.not(shown.score, null)
    for (let again = 0; again < 3; again += 1) await gate(world, subject, shadowMs + (again + 2) * dayMs)
    t.deepEqual(await readShown(world, subject), shown)
    t.is(await readChange(subject), changed)
    await store(world, subject, [makeExecution(from + dayMs / 2)])
    await gate(world, subject)
    t.not(await readChange(subject), changed)
  }
})

test('measured from scratch, the numbers are the same', async (t) => {
  for (const state of ['shadow', 'active'] as const) {
    const subject = await makeDecision(world, { state })
    const more = (at: number) => ({ contentHash: at % 60 === 5 ? 'other' : 'same', providedCostUsd: 0.001 * (at % 7) })
    await store(world, subject, [...makeExecutions(65, shadowMs, more), ...makeExecutions(65, activeMs, more)])
    await gate(world, subject)
    const shown = await readShown(world, subject)
    await query(
      `update decisions set shadow_samples = 0, shadow_match_rate = null, cost_delta_usd = null, latency_delta_ms = null,
         quality_delta = null, score = null, measured_at = null, watch_from = null where id = $1`,
      [subject.decisionId],
    )
    await gate(world, subject)
    t.deepEqual(await readShown(world, subject), shown)
  }
})

test('events that come late, in whatever order, give what they would have given in time', async (t) => {
  const [late, timely] = [await makeDecision(world), await makeDecision(world)]
  const executions = makeExecutions(70, shadowMs, (at) => ({
    contentHash: at % 40 === 7 ? 'other' : 'same',
    durationUs: at % 5 === 0 ? 90_000_000 : 1_000,
  }))
  const order = executions.map((one, at) => ({ one, rank: (at * 37) % 70 })).sort((a, b) => a.rank - b.rank)
  for (let from = 0; from < order.length; from += 10) {
    await store(
      world,
      late,
      order.slice(from, from + 10).map(({ one }) => one),
    )
    await gate(world, late)
  }
  await store(world, timely, executions)
  await gate(world, timely)
  t.deepEqual(await readShown(world, late), await readShown(world, timely))
})

test('two looks at once do what one does', async (t) => {
  const [twice, once] = [await makeDecision(world), await makeDecision(world)]
  const executions = makeExecutions(120, shadowMs)
  await store(world, twice, executions)
  await store(world, once, executions)
  const moved = (await Promise.all([1, 2, 3, 4].map(async () => await gate(world, twice)))).map((gated) => gated.moved)
  await gate(world, once)
  t.deepEqual(
    moved.filter((to) => to !== null),
    ['active'],
  )
  const steps = (await readTrail(world, twice)).map(({ to_state: to }) => to)
  t.deepEqual(steps, ['proposed', 'shadow', 'active'])
  const { score: ours, ...shown } = await readShown(world, twice)
  const { score: other, ...expected } = await readShown(world, once)
  t.deepEqual(shown, expected)
  t.deepEqual({ ...ours, watch: null }, { ...other, watch: null })
})

test('a user who moves a decision while it is being measured is neither kept waiting nor overruled', async (t) => {
  const subject = await makeDecision(world)
  const { workspaceId, decisionId } = subject
  await store(world, subject, makeExecutions(120, shadowMs))
  // The user is through between the measuring and the writing.
  const between: Pick<Database, 'tx'> = {
    tx: async (work, options) =>
      await db.tx(async (tx) => {
        const row: Tx['row'] = async (name, values) => {
          if (name === 'decisions/hold-to-measure') {
            const moved = await moveDecision({ db }, { workspaceId, decisionId, to: 'disabled', actor: 'user' })
            t.true(moved.ok)
          }
          return await tx.row(name, values)
        }
        return await work({ ...tx, row })
      }, options),
  }
  const gated = await gateDecision({ db: between, nowMs: () => shadowMs + dayMs }, workspaceId, decisionId)
  t.like(gated, { moved: null, verdict: 'unmeasured' })
  t.like(await readShown(world, subject), { state: 'disabled', score: null })
  t.is((await readTrail(world, subject)).at(-1)?.actor, 'user')
})

test('what is proposed, disabled or unknown is not measured', async (t) => {
  const proposed = await makeDecision(world, { state: 'proposed' })
  await store(world, proposed, makeExecutions(100, shadowMs))
  const unmeasured = { moved: null, verdict: 'unmeasured', trials: 0 } as const
  t.like(await gate(world, proposed), unmeasured)
  t.like(await gate(world, absent()), unmeasured)
  t.like(await gate(world, { ...proposed, workspaceId: absent().workspaceId }), unmeasured)
  t.is((await readShown(world, proposed)).score, null)
})

test('a measurement says whether it has read all that there is', async (t) => {
  const subject = await makeDecision(world, { config: { freshness_s: 86_400 } })
  await store(world, subject, makeExecutions(3, shadowMs))
  t.true((await gate(world, subject)).complete)
  await world.query(
    `insert into events (workspace_id, start_time, trace_id, span_id, agent_id, agent_fallback, kind, counted, name, status,
       finish_reasons, attested, served, holdout, consumed_tool_call_ids, read_tool_call_ids, flags, tool_name, input_hash, session_id)
     select $1, $2::timestamptz + n * interval '1 second', '\\x01', decode(lpad(to_hex(n), 16, '0'), 'hex'), $1, 'a', 'tool', true, 'x',
       'ok', '{}', false, false, false, '{}', '{}', '{}', 'search', 'a', 'one'
     from generate_series(1, 100000) n`,
    [subject.workspaceId, new Date(shadowMs + 3_600_000)],
  )
  t.false((await gate(world, subject)).complete)
})
