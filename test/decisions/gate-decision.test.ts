// The gate on stored events: what proves a rule, where the gate moves a decision, and that its figures are a function of the events alone.
import test from 'ava'
import { gateDecision } from '../../src/decisions/gate-decision.ts'
import { moveDecision } from '../../src/decisions/move.ts'
import type { Database, Tx } from '../../src/store/database.ts'
import { useDatabase } from '../_kit/use-database.ts'
import {
  absent,
  activeMs,
  dayMs,
  failed,
  gate,
  hourMs,
  makeConsumer,
  makeDecision,
  makeEvery,
  makeExecutions,
  minuteMs,
  readServed,
  readShown,
  readTrail,
  readVersion,
  type Subject,
  shadowMs,
  store,
  untilSeen,
} from './_gated.ts'

const world = useDatabase()
const { db, query } = world

const readChange = async ({ decisionId }: Subject): Promise<string | undefined> =>
  (await query<{ at: string }>('select changed_at::text as at from decisions where id = $1', [decisionId]))[0]?.at

test('a rule that is always right becomes active once enough periods have proven it, and not before', async (t) => {
  const subject = await makeDecision(world)
  const executions = makeEvery(2_000, 600, shadowMs, (at) => ({ inputHash: at % 2 === 0 ? 'a' : 'b' }))
  await store(world, subject, executions.slice(0, 350))
  t.like(await gate(world, subject), { moved: null, verdict: 'inconclusive', complete: true, touchesRules: false })
  const waiting = await readShown(world, subject)
  t.like(waiting.score, { proven: false, freshness_s: 10, inputs: 0, evidence_needed: 20 })
  t.true((waiting.score?.evidence ?? 99) < 20 && (waiting.score?.next?.needs_blocks ?? 0) > 0)
  t.true((waiting.score?.blocks ?? 0) > 50)
  const version = await readVersion(world, subject)

  await store(world, subject, executions.slice(350))
  t.like(await gate(world, subject), { moved: 'active', verdict: 'pass', touchesRules: true })
  t.is(await readVersion(world, subject), version + 1)
  t.deepEqual(await readServed(world, subject), {
    inputs: ['a', 'b'],
    served_freshness_s: 10,
    proven: true,
    forced: false,
    is_doubted: false,
  })
  const shown = await readShown(world, subject)
  t.like(shown, { state: 'active', shadow_match_rate: 1, quality_delta: null, cost_delta_usd: null })
  t.is(shown.latency_delta_ms, 25 - 200)
  t.like(shown.score, { verdict: 'pass', proven: true, forced: false, floor: 0.95, alpha: 0.05, inputs: 2, wrong: 0 })
  t.true((shown.score?.evidence ?? 0) >= 20 && (shown.score?.wrong_share_upper ?? 1) <= 0.05)
  const last = (await readTrail(world, subject)).at(-1)
  t.like(last, { from_state: 'shadow', to_state: 'active', actor: 'gate' })
  t.regex(
    last?.reason ?? '',
    /^proven: at most 5 % of served results up to 10 seconds old are wrong, at 95 % confidence \(\d+ periods?.*, (\d+) of \1 trials right\)$/,
  )
  t.like(last?.measures, { phase: 'shadow', shadow_samples: shown.shadow_samples })
})

test('a proven rule that a user takes back to shadow stays there, and one that the gate takes back does not', async (t) => {
  for (const actor of ['user', 'gate'] as const) {
    const subject = await makeDecision(world)
    await store(world, subject, makeEvery(2_000, 600, shadowMs))
    t.is((await gate(world, subject)).moved, 'active')
    await moveDecision({ db }, { ...subject, to: 'shadow', actor })
    t.is((await gate(world, subject)).moved, actor === 'user' ? null : 'active')
    t.like(await readServed(world, subject), { proven: true, forced: false })
  }
})

test('a burst of calls in one minute proves nothing', async (t) => {
  const subject = await makeDecision(world)
  await store(
    world,
    subject,
    makeEvery(119, 500, shadowMs, () => ({ durationUs: 10_000 })),
  )
  t.like(await gate(world, subject), { moved: null, verdict: 'inconclusive' })
  const { score } = await readShown(world, subject)
  t.true((score?.trials ?? 0) > 400 && (score?.blocks ?? 99) <= 6)
  t.deepEqual((await readServed(world, subject)).inputs, [])
})

test('executions that were stored before the proposal prove a rule at the first look', async (t) => {
  const subject = await makeDecision(world)
  const from = shadowMs - 6 * dayMs
  await store(
    world,
    subject,
    makeEvery(5 * minuteMs, 6 * 288, from, (at) => ({ inputHash: `input ${at % 3}` })),
  )
  t.like(await gate(world, subject, shadowMs), { moved: 'active', verdict: 'pass' })
  const { served_freshness_s: freshnessS, inputs } = await readServed(world, subject)
  t.is(freshnessS, 3_600)
  t.deepEqual(inputs, ['input 0', 'input 1', 'input 2'])
})

test('a tool that never repeats a result gives no trials and serves nothing', async (t) => {
  const subject = await makeDecision(world)
  await store(
    world,
    subject,
    makeEvery(5_000, 400, shadowMs, (at) => ({ contentHash: `content ${at}` })),
  )
  t.like(await gate(world, subject), { moved: null, trials: 0 })
  t.deepEqual(await readServed(world, subject), {
    inputs: [],
    served_freshness_s: null,
    proven: false,
    forced: false,
    is_doubted: false,
  })
})

test('an input that is never stable is not served beside one that is', async (t) => {
  const subject = await makeDecision(world)
  const executions = makeEvery(5_000, 400, shadowMs, (at) =>
    at % 2 === 0 ? {} : { inputHash: 'unstable', contentHash: `content ${at}` },
  )
  await store(world, subject, executions)
  t.like(await gate(world, subject), { moved: 'active' })
  t.deepEqual((await readServed(world, subject)).inputs, ['a'])
})

test('a decision without a verdict is disabled after exactly 14 days', async (t) => {
  const subject = await makeDecision(world)
  await store(world, subject, makeExecutions(20, shadowMs))
  const version = await readVersion(world, subject)
  t.like(await gate(world, subject, shadowMs + 14 * dayMs - 1), { moved: null, verdict: 'inconclusive' })
  const ended = await gate(world, subject, shadowMs + 14 * dayMs)
  // It never served anything, so SDKs have nothing to read again.
  t.like(ended, { moved: 'disabled', verdict: 'inconclusive', touchesRules: false })
  t.is(await readVersion(world, subject), version)
  t.regex((await readTrail(world, subject)).at(-1)?.reason ?? '', /^inconclusive after 14 days: /)
})

test('a lower floor is proven with less', async (t) => {
  const [strict, lenient] = [await makeDecision(world), await makeDecision(world, { config: { floor: 0.8 } })]
  for (const subject of [strict, lenient]) await store(world, subject, makeEvery(5_000, 100, shadowMs))
  t.is((await gate(world, strict)).moved, null)
  t.is((await gate(world, lenient)).moved, 'active')
})

test('savings of money, time and quality have a sign', async (t) => {
  const subject = await makeDecision(world, { state: 'active' })
  const { decisionId } = subject
  const priced = { providedCostUsd: 0.02 }
  // The rule is proven by then.
  const before = makeEvery(5_000, 400, activeMs - hourMs, () => priced)
  const real = makeExecutions(10, activeMs, () => ({ ...priced, holdout: true, decisionId, qualityScore: 0.9 }))
  const served = makeExecutions(190, activeMs + 30_000, () => ({
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
  await store(world, subject, [...before, ...real, ...served, ...cached, ...uncached])
  t.like(await gate(world, subject, activeMs + dayMs), { moved: null, verdict: 'pass' })
  const shown = await readShown(world, subject)
  // 0.001 lost of the cache, 0.02 saved. Held-out calls are savings forgone, not money lost.
  t.is(shown.cost_delta_usd, -0.019)
  t.is(shown.latency_delta_ms, 10 - 200)
  t.is(shown.quality_delta, -0.1)
  // The rule was in use for less than 24 hours.
  t.is(shown.score?.expected_monthly_savings_usd, null)
})

/** Makes an active, proven rule on the version `2` of a tool, which has served `calls` calls, each in `servedMs`. */
async function makeServing(calls: number, servedMs: number, more: object = {}): Promise<Subject> {
  const toolVersion = '2'
  const subject = await makeDecision(world, { state: 'active', config: { tool_version: toolVersion } })
  const { decisionId } = subject
  const before = makeEvery(5_000, 400, activeMs - hourMs, () => ({ toolVersion, durationUs: 20_000, ...more }))
  const served = makeExecutions(calls, activeMs, () => ({
    toolVersion,
    served: true,
    decisionId,
    contentHash: null,
    keyId: null,
    attested: false,
    durationUs: servedMs * 1_000,
  }))
  await store(world, subject, [...before, ...served])
  return subject
}

test('a rule that makes calls slower and saves no money is disabled; one that saves money, or is not known well, is not', async (t) => {
  const slow = await makeServing(60, 90)
  t.like(await gate(world, slow, activeMs + dayMs), { moved: 'disabled' })
  t.is(
    (await readTrail(world, slow)).at(-1)?.reason,
    'the rule makes calls slower and saves no money: the median served call takes 70 ms longer than the tool',
  )
  t.is((await gate(world, await makeServing(49, 90), activeMs + dayMs)).moved, null)
  t.is((await gate(world, await makeServing(60, 10), activeMs + dayMs)).moved, null)
  t.is((await gate(world, await makeServing(60, 90, { providedCostUsd: 0.01 }), activeMs + dayMs)).moved, null)
})

test('other versions of the tool do not show that a rule makes calls slower, or that it does not', async (t) => {
  const [quicker, slower] = [await makeServing(60, 90, { durationUs: 500_000 }), await makeServing(60, 90)]
  // More than the calls of the own version, and closer to the served ones.
  const others = (durationUs: number, toolVersion: string | null) =>
    makeEvery(5_000, 500, activeMs - hourMs + 1_000, () => ({ durationUs, toolVersion }))
  await store(world, quicker, [...others(20_000, '1'), ...others(20_000, null)])
  await store(world, slower, [...others(500_000, '1'), ...others(500_000, null)])
  t.is((await gate(world, quicker, activeMs + dayMs)).moved, null)
  t.is((await readShown(world, quicker)).latency_delta_ms, 90 - 500)
  t.is((await gate(world, slower, activeMs + dayMs)).moved, 'disabled')
  t.regex((await readTrail(world, slower)).at(-1)?.reason ?? '', /70 ms longer than the tool$/)
})

test('a rule that costs more than it saves is disabled', async (t) => {
  const subject = await makeDecision(world, { state: 'active' })
  const { decisionId } = subject
  const before = makeEvery(5_000, 400, activeMs - hourMs, () => ({ providedCostUsd: 0.001 }))
  const real = makeExecutions(40, activeMs, () => ({ holdout: true, decisionId, providedCostUsd: 0.001 }))
  const served = makeExecutions(50, activeMs + 30_000, () => ({
    served: true,
    decisionId,
    attested: false,
    keyId: null,
  }))
  const cached = real.map((one) => makeConsumer(one, { input: 1_000, cached: 900, savingsUsd: 0.005 }))
  const uncached = served.map((one) => makeConsumer(one, { input: 1_000, cached: 0, savingsUsd: 0 }))
  await store(world, subject, [...before, ...real, ...served, ...cached, ...uncached])
  t.like(await gate(world, subject, activeMs + dayMs), { moved: 'disabled', touchesRules: true })
  t.regex(
    (await readTrail(world, subject)).at(-1)?.reason ?? '',
    /^the rule costs more than it saves: on average, a served call costs at least 0\.004 USD more than a real call$/,
  )
})

test('a repeated measurement without new executions changes nothing, and says so', async (t) => {
  for (const state of ['shadow', 'active'] as const) {
    const subject = await makeDecision(world, { state })
    const from = (state === 'shadow' ? shadowMs : activeMs) - hourMs
    const count = state === 'shadow' ? 60 : 400
    await store(
      world,
      subject,
      makeEvery(5_000, count, from, (at) => ({ providedCostUsd: 0.001 * (at % 7) })),
    )
    t.is((await gate(world, subject, activeMs)).moved, null)
    const [shown, changed] = [await readShown(world, subject), await readChange(subject)]
    const version = await readVersion(world, subject)
    t.not(shown.score, null)
    for (let again = 0; again < 3; again += 1) await gate(world, subject, activeMs + again)
    t.deepEqual(await readShown(world, subject), shown)
    t.is(await readChange(subject), changed)
    t.is(await readVersion(world, subject), version)
    await store(world, subject, makeEvery(5_000, 3, from + 30 * minuteMs + 250_000))
    await gate(world, subject, activeMs)
    t.not(await readChange(subject), changed)
  }
})

test('two concurrent measurements have the effect of one', async (t) => {
  const [twice, once] = [await makeDecision(world), await makeDecision(world)]
  const executions = makeEvery(5_000, 300, shadowMs)
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
  const ladders = await query('select from ladders where workspace_id = $1', [twice.workspaceId])
  t.is(ladders.length, 1)
  await gate(world, twice)
  await gate(world, once)
  t.deepEqual(await readShown(world, twice), await readShown(world, once))
})

test('a user who moves a decision during its measurement does not wait and is not overruled', async (t) => {
  const subject = await makeDecision(world)
  const { workspaceId, decisionId } = subject
  await store(world, subject, makeEvery(5_000, 300, shadowMs))
  // The user's change commits between the measurement and the write.
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
  await untilSeen(world, workspaceId)
  const gated = await gateDecision({ db: between, nowMs: () => shadowMs + dayMs }, workspaceId, decisionId)
  t.like(gated, { moved: null, verdict: 'unmeasured' })
  t.like(await readShown(world, subject), { state: 'disabled', score: null })
  t.is((await readTrail(world, subject)).at(-1)?.actor, 'user')
})

test('proposed, disabled and unknown decisions are not measured', async (t) => {
  const proposed = await makeDecision(world, { state: 'proposed' })
  await store(world, proposed, makeEvery(5_000, 300, shadowMs))
  const unmeasured = { moved: null, verdict: 'unmeasured', trials: 0 } as const
  t.like(await gate(world, proposed), unmeasured)
  t.like(await gate(world, absent()), unmeasured)
  t.like(await gate(world, { ...proposed, workspaceId: absent().workspaceId }), unmeasured)
  t.is((await readShown(world, proposed)).score, null)
})

test('a rule about one input is proven by the executions of that input alone', async (t) => {
  const subject = await makeDecision(world, { config: { input_hash: 'a' } })
  const executions = makeEvery(5_000, 400, shadowMs, (at) => (at % 2 === 0 ? {} : { inputHash: 'b', ...failed }))
  await store(world, subject, executions)
  t.like(await gate(world, subject), { moved: 'active' })
  t.deepEqual((await readServed(world, subject)).inputs, ['a'])
  const other = await makeDecision(world, { config: { input_hash: 'b' } })
  await store(
    world,
    other,
    executions.map((one) => ({ ...one, inputHash: 'a' })),
  )
  t.like(await gate(world, other), { moved: null, trials: 0 })
  t.is((await readShown(world, other)).score?.inputs, 0)
  t.deepEqual(await query('select from decision_trials where decision_id = $1', [other.decisionId]), [])
})
