import test from 'ava'
import { type Proposed, proposeFor } from '../../../src/decisions/propose/propose-for.ts'
import { makeDatabase, type TestDatabase } from '../../_kit/db.ts'
import { type EventSeed, storeEvents } from '../../_kit/events.ts'
import { makeWorkspace } from '../../_kit/workspace.ts'
import { makeRun } from './_runs.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(async () => await base.stop())

/** Without a limit of time: what is found must not depend on the machine. */
const propose = async (workspaceId: string, options = {}): Promise<Proposed> =>
  await proposeFor({ db: base.db }, workspaceId, { budgetMs: Number.POSITIVE_INFINITY, ...options })

/** A workspace with these events, and what is proposed for it: type, tool and input of each. */
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

const thrice = (more: Partial<EventSeed> = {}): EventSeed[] => [30, 20, 10].map((ago) => makeRun(ago, more))
const found = ['reuse_identity search input']

test('a pair that gave the same result three times is proposed, with what speaks for it', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  const runs = thrice({ providedCostUsd: 0.02, taskType: 'research' })
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
    input_hash: 'input',
    agent_id: null,
    task_type: 'research',
    freshness_s: 86_400,
    holdout_rate: 0.05,
    floor: 0.95,
    alpha: 0.05,
    min_samples: 30,
  } as unknown as typeof config)
  t.is(evidence['executions'], 3)
  t.is(evidence['reusable'], 2)
  t.is(evidence['agents'], 1)
  t.deepEqual(evidence['trace_ids'], runs.map(({ trace }) => trace).reverse())
  // Two of three calls in half an hour, one in twenty of them for real. Half an hour is no month.
  t.deepEqual(evidence['seen_savings'], { calls: 1.9, latency_saved_ms: 903, usd: 0.038 })
  t.is(evidence['expected_monthly_savings'], null)
  t.is((evidence['observed'] as { days: number }).days, 0.02)
  const trail = await base.query(
    'select from_state, to_state, actor, reason from decision_transitions where workspace_id = $1',
    [workspaceId],
  )
  t.deepEqual(trail, [
    {
      from_state: null,
      to_state: 'proposed',
      actor: 'gate',
      reason: 'the tool returned the same result for this input 3 times',
    },
  ])
})

test('two executions are too few', async (t) => {
  t.deepEqual(await proposeOf(thrice().slice(1)), [])
  t.deepEqual(await proposeOf(thrice()), found)
})

test('what is not attested is never proposed', async (t) => {
  t.deepEqual(await proposeOf(thrice({ attested: false })), [])
  t.deepEqual(await proposeOf([...thrice().slice(1), makeRun(5, { attested: false })]), [])
})

test('what was not stored encrypted is never proposed', async (t) => {
  t.deepEqual(await proposeOf(thrice({ keyId: null })), [])
})

test('errors and served calls neither count nor stand in the way', async (t) => {
  t.deepEqual(await proposeOf(thrice({ status: 'error' })), [])
  t.deepEqual(await proposeOf(thrice({ served: true })), [])
  const failed = makeRun(15, { status: 'error', contentHash: 'another' })
  t.deepEqual(await proposeOf([...thrice(), failed]), found)
})

test('one result that differs stands in the way, whoever had it', async (t) => {
  t.deepEqual(await proposeOf([...thrice(), makeRun(5, { contentHash: 'another' })]), [])
  t.deepEqual(await proposeOf([...thrice(), makeRun(5, { contentHash: 'another', agent: 'other' })]), [])
  t.deepEqual(await proposeOf([...thrice(), makeRun(5, { contentHash: 'another', attested: false, keyId: null })]), [])
  t.deepEqual(await proposeOf([...thrice(), makeRun(5, { contentHash: 'another', inputHash: 'other' })]), found)
})

test('executions further apart than a result is fresh are not proposed', async (t) => {
  const daily = [25 * 60 * 2, 25 * 60, 0].map((ago) => makeRun(ago + 1))
  t.deepEqual(await proposeOf(daily), [])
  const workspaceId = await makeWorkspace(base.query)
  await base.query('update workspaces set freshness_s = 90001 where id = $1', [workspaceId])
  await storeEvents(base.query, workspaceId, daily)
  t.deepEqual(list(await propose(workspaceId)), found)
})

test('what happened more than seven days ago does not count', async (t) => {
  const dayMinutes = 1_440
  const runs = [7.01, 6.5, 6].map((days) => makeRun(days * dayMinutes))
  t.deepEqual(await proposeOf(runs), [])
  t.deepEqual(await proposeOf([...runs, makeRun(5.5 * dayMinutes)]), found)
})

test('kinds of tasks that differ name none', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  await storeEvents(base.query, workspaceId, [...thrice({ taskType: 'research' }), makeRun(5, { taskType: 'sales' })])
  const done = await propose(workspaceId)
  t.is(done.result === 'done' ? done.proposed[0]?.task_type_id : undefined, null)
})

test('a rule that saves neither a second nor a cent a month is not proposed', async (t) => {
  t.deepEqual(await proposeOf(thrice({ durationUs: 20_000 })), [])
  t.deepEqual(await proposeOf(thrice({ durationUs: 20_000, providedCostUsd: 0.0001 })), [])
  t.deepEqual(await proposeOf(thrice({ durationUs: 20_000, providedCostUsd: 0.01 })), found)
  t.deepEqual(await proposeOf(thrice({ durationUs: null })), [])
})

test('a subject is proposed once while it lives, and not within 30 days of being disabled', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  const runAgain = async (): Promise<void> => await storeEvents(base.query, workspaceId, [makeRun(0)])
  await storeEvents(base.query, workspaceId, thrice())
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

test('what has not run since the last look is not looked at again, and a history that comes late is', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  t.deepEqual(list(await propose(workspaceId)), [])
  await base.query(
    `update optimizer_progress set proposed_until = now() + interval '5 minutes' where workspace_id = $1`,
    [workspaceId],
  )
  await storeEvents(
    base.query,
    workspaceId,
    [3_000, 2_000, 1_000].map((ago) => makeRun(ago)),
  )
  t.deepEqual(list(await propose(workspaceId)), [])
  await base.query(
    `update optimizer_progress set proposed_until = now() - interval '5 minutes' where workspace_id = $1`,
    [workspaceId],
  )
  t.deepEqual(list(await propose(workspaceId)), found)
})

test('no more than so many are open at a time, the most valuable first', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  const priced = [0.05, 0.4, 0.2, 0.3].flatMap((providedCostUsd) =>
    thrice({ inputHash: `costs_${providedCostUsd}`, providedCostUsd }),
  )
  await storeEvents(base.query, workspaceId, priced)
  const done = await propose(workspaceId, { maxOpen: 2 })
  t.deepEqual(list(done), ['reuse_identity search costs_0.4', 'reuse_identity search costs_0.3'])
  t.is(done.result === 'done' ? done.left : -1, 2)
  await base.query(`update decisions set state = 'shadow' where workspace_id = $1`, [workspaceId])
  await storeEvents(base.query, workspaceId, [makeRun(0, { inputHash: 'costs_0.05', providedCostUsd: 0.05 })])
  t.deepEqual(list(await propose(workspaceId, { maxOpen: 2 })), [])
  await base.query(`update decisions set state = 'active' where workspace_id = $1`, [workspaceId])
  await storeEvents(base.query, workspaceId, [makeRun(0, { inputHash: 'costs_0.05', providedCostUsd: 0.05 })])
  t.deepEqual(list(await propose(workspaceId, { maxOpen: 2 })), [
    'reuse_identity search costs_0.2',
    'reuse_identity search costs_0.05',
  ])
})

test('active rules are bounded as well: nothing is proposed where a workspace has as many decisions as it may', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  await storeEvents(base.query, workspaceId, [...thrice({ inputHash: 'one' }), ...thrice({ inputHash: 'two' })])
  t.is(list(await propose(workspaceId, { maxLiving: 1 })).length, 1)
  await base.query(`update decisions set state = 'active' where workspace_id = $1`, [workspaceId])
  await storeEvents(base.query, workspaceId, [makeRun(0, { inputHash: 'one' }), makeRun(0, { inputHash: 'two' })])
  t.deepEqual(list(await propose(workspaceId, { maxLiving: 1 })), [])
  await storeEvents(base.query, workspaceId, [makeRun(0, { inputHash: 'one' }), makeRun(0, { inputHash: 'two' })])
  t.is(list(await propose(workspaceId, { maxLiving: 2 })).length, 1)
})

test('two at once propose what one would', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  await storeEvents(
    base.query,
    workspaceId,
    Array.from({ length: 10 }, (_, nth) => thrice({ inputHash: `input_${nth}` })).flat(),
  )
  const rounds = await Promise.all(Array.from({ length: 4 }, async () => await propose(workspaceId, { maxOpen: 7 })))
  t.is(rounds.flatMap(list).filter((one) => one !== 'held').length, 7)
  const [row] = await base.query<{ count: number }>(
    'select count(*)::int as count from decision_transitions where workspace_id = $1',
    [workspaceId],
  )
  t.is(row?.count, 7)
})

test('other workspaces are not looked at, and a deleted one gets nothing', async (t) => {
  const [workspaceId, other] = [await makeWorkspace(base.query), await makeWorkspace(base.query)]
  await storeEvents(base.query, workspaceId, thrice())
  t.deepEqual(list(await propose(other)), [])
  await base.query('update workspaces set deleted_at = now() where id = $1', [workspaceId])
  t.deepEqual(await propose(workspaceId), { result: 'held' })
  t.deepEqual(await base.query('select from decisions where workspace_id = any ($1)', [[workspaceId, other]]), [])
})
