// The effects of a rule, from the events of a run of it.
import test from 'ava'
import { type Effects, measureEffects } from '../../src/decisions/measure-effects.ts'
import { findMeasured, runOf } from '../../src/decisions/trials/phase.ts'
import type { EventSeed } from '../_kit/events.ts'
import { useDatabase } from '../_kit/use-database.ts'
import { activeMs, dayMs, makeConsumer, makeDecision, makeExecution, type Subject, store } from './_gated.ts'

const world = useDatabase()

async function effectsOf({ workspaceId, decisionId }: Subject, wrongShare = 0, isActive = true): Promise<Effects> {
  const row = await findMeasured(world.db, workspaceId, decisionId)
  const run = row === null ? null : runOf(row)
  if (run === null) throw new Error('the decision was never in shadow')
  return await measureEffects(world.db, decisionId, run, isActive, wrongShare)
}

/** Returns `count` calls under the rule, evenly over the time; every fifth one is held out and costs $0.02. */
function makeCalls({ decisionId }: Subject, count: number, lastingMs: number): EventSeed[] {
  return Array.from({ length: count }, (_, at) => {
    const startMs = activeMs + (at * lastingMs) / (count - 1)
    return at % 5 === 0
      ? makeExecution(startMs, { holdout: true, decisionId, providedCostUsd: 0.02 })
      : makeExecution(startMs, { served: true, decisionId, attested: false, keyId: null, durationUs: 10_000 })
  })
}

test('a served call saves the cost of the tool, and a wrong result cancels this saving', async (t) => {
  const subject = await makeDecision(world, { state: 'active' })
  await store(world, subject, makeCalls(subject, 100, 2 * dayMs))
  t.is((await effectsOf(subject)).costDeltaUsd, -0.02)
  t.is((await effectsOf(subject, 0.25)).costDeltaUsd, -0.015)
  t.is((await effectsOf(subject, 1)).costDeltaUsd, 0)
})

test('served calls a month are 30 times the mean day, and nothing before 24 hours', async (t) => {
  const [long, short] = [await makeDecision(world, { state: 'active' }), await makeDecision(world, { state: 'active' })]
  await store(world, long, makeCalls(long, 100, 2 * dayMs))
  await store(world, short, makeCalls(short, 100, dayMs - 60_000))
  // 80 served calls in two days.
  t.like(await effectsOf(long), { servedMonthly: 1_200, servedCalls: 80, realCalls: 20, latencyDeltaMs: -190 })
  t.is((await effectsOf(long)).observed?.days, 2)
  t.is((await effectsOf(short)).servedMonthly, null)
  t.is((await effectsOf(short)).observed?.days, 1)
})

test('calls without a duration have no median', async (t) => {
  const subject = await makeDecision(world, { state: 'active' })
  const calls = makeCalls(subject, 100, dayMs)
  await store(
    world,
    subject,
    calls.map((call, at) => (at % 2 === 0 ? call : { ...call, durationUs: null })),
  )
  t.like(await effectsOf(subject), { servedCalls: 40, realCalls: 10 })
})

test('a rule in shadow is compared with what other rules of the workspace serve, and an active one only with its own calls', async (t) => {
  const other = await makeDecision(world, { state: 'active' })
  await store(world, other, makeCalls(other, 100, dayMs))
  await world.query(`update decisions set input_hash = 'b' where id = $1`, [other.decisionId])
  const subject = await makeDecision(world, { workspaceId: other.workspaceId, state: 'active' })
  const expected = { realCalls: 20, observed: null, servedMonthly: null }
  t.like(await effectsOf(subject, 0, false), { servedCalls: 80, ...expected })
  t.like(await effectsOf(subject), { servedCalls: 0, ...expected })
})

test('cost, caching and quality are compared with the calls of the same version of the tool', async (t) => {
  const subject = await makeDecision(world, { state: 'active', config: { tool_version: '2' } })
  const own = makeCalls(subject, 100, dayMs).map((call) => {
    const isServed = call.served === true
    return { ...call, toolVersion: '2', qualityScore: isServed ? 0.8 : 0.9 }
  })
  const cached = (call: EventSeed, savingsUsd: number): EventSeed =>
    makeConsumer(call, { input: 1_000, cached: savingsUsd === 0 ? 0 : 800, savingsUsd })
  const others = ['1', null].flatMap((toolVersion, nth) =>
    Array.from({ length: 100 }, (_, at) =>
      makeExecution(activeMs + at * 60_000 + nth, { toolVersion, providedCostUsd: 5, qualityScore: 0.1 }),
    ),
  )
  await store(world, subject, [
    ...own,
    ...own.map((call) => cached(call, call.served === true ? 0 : 0.001)),
    ...others,
    ...others.map((call) => cached(call, 0.9)),
  ])
  t.like(await effectsOf(subject), { costDeltaUsd: -0.019, qualityDelta: -0.1, realCalls: 20 })
})
