import test from 'ava'
import { type Proposed, proposeFor } from '../../../src/decisions/propose/propose-for.ts'
import { makeDatabase, type TestDatabase } from '../../_kit/db.ts'
import { agentIdOf, type EventSeed, storeEvents } from '../../_kit/events.ts'
import { makeWorkspace } from '../../_kit/workspace.ts'
import { makeRun } from './_runs.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(async () => await base.stop())

/** Without a time limit, so that the result does not depend on the machine. */
const propose = async (workspaceId: string, options = {}): Promise<Proposed> =>
  await proposeFor({ db: base.db }, workspaceId, { budgetMs: Number.POSITIVE_INFINITY, ...options })

/** Stores these events in a new workspace. Returns its proposals: type, tool and input of each. */
async function proposeOf(seeds: readonly EventSeed[]): Promise<string[]> {
  const workspaceId = await makeWorkspace(base.query)
  await storeEvents(base.query, workspaceId, seeds)
  return list(await propose(workspaceId))
}

const list = (done: Proposed): string[] =>
  done.result === 'held' ? ['held'] : done.proposed.map(({ type, config }) => nameOf(type, config as SubjectOf))

type SubjectOf = { tool_name: string; input_hash: string | null }
const nameOf = (type: string, subject: SubjectOf): string =>
  `${type} ${subject.tool_name}${subject.input_hash === null ? '' : ` ${subject.input_hash}`}`

/** Four runs: three of them had the same result as the one before. */
const fourTimes = (more: Partial<EventSeed> = {}): EventSeed[] => [40, 30, 20, 10].map((ago) => makeRun(ago, more))
const found = ['reuse_identity search']

test('a tool that returned its last result again three times is proposed, with the evidence', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  const runs = fourTimes({ providedCostUsd: 0.02, taskType: 'research' })
  await storeEvents(base.query, workspaceId, runs)
  const done = await propose(workspaceId)
  if (done.result === 'held') return t.fail()
  const [row] = done.proposed
  t.is(row?.state, 'proposed')
  t.is(row?.type, 'reuse_identity')
  t.not(row?.task_type_id, null)
  const { evidence, ...config } = (row?.config ?? {}) as { evidence: Record<string, unknown> }
  t.deepEqual(config, {
    tool_name: 'search',
    tool_version: null,
    input_hash: null,
    agent_id: agentIdOf(workspaceId, 'agent'),
    task_type: 'research',
    freshness_s: 86_400,
    holdout_rate: 0.05,
    floor: 0.95,
    alpha: 0.05,
    min_samples: 30,
  } as unknown as typeof config)
  t.is(evidence['executions'], 4)
  t.is(evidence['inputs'], 1)
  t.is(evidence['reusable'], 3)
  t.deepEqual(evidence['trace_ids'], runs.map(({ trace }) => trace).reverse())
  // Three of four calls, of which one in twenty runs for real. Forty minutes are too short for a monthly estimate.
  t.deepEqual(evidence['seen_savings'], { calls: 2.85, latency_saved_ms: 1_354, usd: 0.057 })
  t.is(evidence['expected_monthly_savings'], null)
  t.is((evidence['observed'] as { days: number }).days, 0.03)
  const trail = await base.query(
    'select from_state, to_state, actor, reason from decision_transitions where workspace_id = $1',
    [workspaceId],
  )
  t.deepEqual(trail, [
    {
      from_state: null,
      to_state: 'proposed',
      actor: 'gate',
      reason: '3 of 4 calls returned the last result for their input again (1 distinct input)',
    },
  ])
})

test('two repetitions are too few', async (t) => {
  t.deepEqual(await proposeOf(fourTimes().slice(1)), [])
  t.deepEqual(await proposeOf(fourTimes()), found)
})

test('a tool that is not attested is never proposed', async (t) => {
  t.deepEqual(await proposeOf(fourTimes({ attested: false })), [])
  t.deepEqual(await proposeOf([...fourTimes().slice(1), makeRun(5, { attested: false })]), [])
})

test('a tool without encrypted stored results is never proposed', async (t) => {
  t.deepEqual(await proposeOf(fourTimes({ keyId: null })), [])
})

test('errors and served calls do not count and do not prevent a proposal', async (t) => {
  t.deepEqual(await proposeOf(fourTimes({ status: 'error' })), [])
  t.deepEqual(await proposeOf(fourTimes({ served: true })), [])
  const failed = makeRun(15, { status: 'error', contentHash: 'another' })
  t.deepEqual(await proposeOf([...fourTimes(), failed]), found)
})

test('repetitions of a result count, whatever other results lie between them', async (t) => {
  const changing = (count: number): EventSeed[] =>
    Array.from({ length: count }, (_, at) => makeRun(60 + at, { contentHash: `content ${at}` }))
  t.deepEqual(await proposeOf(changing(10)), [])
  t.deepEqual(await proposeOf([...changing(10), ...fourTimes()]), found)
  // Runs with different inputs are no repetition.
  t.deepEqual(await proposeOf([40, 30, 20, 10].map((ago) => makeRun(ago, { inputHash: `input ${ago}` }))), [])
})

test('executions further apart than a result is fresh are not proposed', async (t) => {
  // Exactly 25 hours apart, by one reading of the clock.
  const endMs = Date.now() - 60_000
  const daily = [3, 2, 1, 0].map((days) => makeRun(0, { start: new Date(endMs - days * 25 * 3_600_000).toISOString() }))
  t.deepEqual(await proposeOf(daily), [])
  const workspaceId = await makeWorkspace(base.query)
  await base.query('update workspaces set freshness_s = 90001 where id = $1', [workspaceId])
  await storeEvents(base.query, workspaceId, daily)
  t.deepEqual(list(await propose(workspaceId)), found)
})

test('executions more than seven days old do not count', async (t) => {
  const dayMinutes = 1_440
  const runs = [7.01, 6.5, 6, 5.8].map((days) => makeRun(days * dayMinutes))
  t.deepEqual(await proposeOf(runs), [])
  t.deepEqual(await proposeOf([...runs, makeRun(5.5 * dayMinutes)]), found)
})

test('the first twenty subjects are weighed even if the time is up before', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  const tools = Array.from({ length: 21 }, (_, at) => `tool ${String(at).padStart(2, '0')}`)
  await storeEvents(
    base.query,
    workspaceId,
    tools.flatMap((tool) => fourTimes({ tool })),
  )
  const weighed = list(await propose(workspaceId, { budgetMs: -1 }))
  t.deepEqual(
    weighed.toSorted(),
    tools.slice(0, 20).map((tool) => `reuse_identity ${tool}`),
  )
})

test('executions with different task types give no task type', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  await storeEvents(base.query, workspaceId, [
    ...fourTimes({ taskType: 'research' }),
    makeRun(5, { taskType: 'sales' }),
  ])
  const done = await propose(workspaceId)
  t.is(done.result === 'done' ? done.proposed[0]?.task_type_id : undefined, null)
})

test('a rule that saves neither a second nor a cent a month is not proposed', async (t) => {
  t.deepEqual(await proposeOf(fourTimes({ durationUs: 20_000 })), [])
  t.deepEqual(await proposeOf(fourTimes({ durationUs: 20_000, providedCostUsd: 0.0001 })), [])
  t.deepEqual(await proposeOf(fourTimes({ durationUs: 20_000, providedCostUsd: 0.01 })), found)
  t.deepEqual(await proposeOf(fourTimes({ durationUs: null })), [])
})

test('a subject is proposed once while its decision is live, and not within 30 days after it was disabled', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  const runAgain = async (): Promise<void> => await storeEvents(base.query, workspaceId, [makeRun(0)])
  await storeEvents(base.query, workspaceId, fourTimes())
  t.deepEqual(list(await propose(workspaceId)), found)
  await runAgain()
  t.deepEqual(list(await propose(workspaceId)), [])
  const disable = `update decisions set state = 'disabled', disabled_at = now() - $2::interval where workspace_id = $1`
  await base.query(disable, [workspaceId, '29 days 23 hours'])
  await runAgain()
  t.deepEqual(list(await propose(workspaceId)), [])
  await base.query(disable, [workspaceId, '30 days 1 second'])
  await runAgain()
  t.deepEqual(list(await propose(workspaceId)), found)
})

test('a tool without executions since the last scan is not scanned again, and a history that arrives late is', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  t.deepEqual(list(await propose(workspaceId)), [])
  await base.query(
    `update optimizer_progress set proposed_until = now() + interval '5 minutes' where workspace_id = $1`,
    [workspaceId],
  )
  await storeEvents(
    base.query,
    workspaceId,
    [4_000, 3_000, 2_000, 1_000].map((ago) => makeRun(ago)),
  )
  t.deepEqual(list(await propose(workspaceId)), [])
  await base.query(
    `update optimizer_progress set proposed_until = now() - interval '5 minutes' where workspace_id = $1`,
    [workspaceId],
  )
  t.deepEqual(list(await propose(workspaceId)), found)
})

test('the number of open proposals is limited, the most valuable first', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  const priced = [0.05, 0.4, 0.2, 0.3].flatMap((providedCostUsd) =>
    fourTimes({ tool: `costs_${providedCostUsd}`, providedCostUsd }),
  )
  await storeEvents(base.query, workspaceId, priced)
  const done = await propose(workspaceId, { maxOpen: 2 })
  t.deepEqual(list(done), ['reuse_identity costs_0.4', 'reuse_identity costs_0.3'])
  t.is(done.result === 'done' ? done.left : -1, 2)
  t.deepEqual(done.result === 'done' ? done.evictions : null, [])
  await base.query(`update decisions set state = 'active' where workspace_id = $1`, [workspaceId])
  t.deepEqual(list(await propose(workspaceId, { maxOpen: 2 })), [
    'reuse_identity costs_0.2',
    'reuse_identity costs_0.05',
  ])
})

test('nothing is proposed in a workspace that has the maximum number of decisions', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  await storeEvents(base.query, workspaceId, [...fourTimes({ tool: 'one' }), ...fourTimes({ tool: 'two' })])
  t.is(list(await propose(workspaceId, { maxLiving: 1 })).length, 1)
  await base.query(`update decisions set state = 'active' where workspace_id = $1`, [workspaceId])
  await storeEvents(base.query, workspaceId, [makeRun(0, { tool: 'one' }), makeRun(0, { tool: 'two' })])
  t.deepEqual(list(await propose(workspaceId, { maxLiving: 1 })), [])
  await storeEvents(base.query, workspaceId, [makeRun(0, { tool: 'one' }), makeRun(0, { tool: 'two' })])
  t.is(list(await propose(workspaceId, { maxLiving: 2 })).length, 1)
})

test('two concurrent scans propose the same as one', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  await storeEvents(
    base.query,
    workspaceId,
    Array.from({ length: 10 }, (_, nth) => fourTimes({ tool: `tool_${nth}` })).flat(),
  )
  const rounds = await Promise.all(Array.from({ length: 4 }, async () => await propose(workspaceId, { maxOpen: 7 })))
  t.is(rounds.flatMap(list).filter((one) => one !== 'held').length, 7)
  const [row] = await base.query<{ count: number }>(
    'select count(*)::int as count from decision_transitions where workspace_id = $1',
    [workspaceId],
  )
  t.is(row?.count, 7)
})

test('other workspaces are not scanned, and a deleted one gets no proposals', async (t) => {
  const [workspaceId, other] = [await makeWorkspace(base.query), await makeWorkspace(base.query)]
  await storeEvents(base.query, workspaceId, fourTimes())
  t.deepEqual(list(await propose(other)), [])
  await base.query('update workspaces set deleted_at = now() where id = $1', [workspaceId])
  t.deepEqual(await propose(workspaceId), { result: 'held' })
  t.deepEqual(await base.query('select from decisions where workspace_id = any ($1)', [[workspaceId, other]]), [])
})
