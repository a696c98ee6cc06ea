// The subject of a rule is a tool, its version and an agent. Tests which version gets the slot if several qualify.
import test from 'ava'
import { gateDecision } from '../../../src/decisions/gate-decision.ts'
import { moveDecision } from '../../../src/decisions/move.ts'
import { type ProposeOptions, proposeFor } from '../../../src/decisions/propose/propose-for.ts'
import { agentIdOf, type EventSeed, storeEvents } from '../../_kit/events.ts'
import { useDatabase } from '../../_kit/use-database.ts'
import { makeWorkspace } from '../../_kit/workspace.ts'
import { readServed, readTrail, untilSeen } from '../_gated.ts'
import { openTurns } from '../_turn.ts'
import { makeRun } from './_runs.ts'

const base = useDatabase()
const { db, query } = base

type Row = {
  id: string
  tool_name: string
  tool_version: string | null
  agent_id: string
  state: string
  evicted: boolean
}
const listDecisions = async (workspaceId: string): Promise<Row[]> =>
  await query<Row>(
    `select id, tool_name, tool_version, agent_id, state, evicted from decisions where workspace_id = $1 order by created_at, id`,
    [workspaceId],
  )

const propose = async (workspaceId: string, options: ProposeOptions = {}) => {
  const done = await proposeFor({ db }, workspaceId, { budgetMs: 60_000, ...options })
  if (done.result === 'held') throw new Error('the workspace is held')
  return done
}

/** Runs every twelve seconds, the last one `endedAgo` minutes ago. */
const makeRuns = (count: number, endedAgo: number, more: Partial<EventSeed> = {}): EventSeed[] =>
  Array.from({ length: count }, (_, at) => makeRun(endedAgo + (count - 1 - at) / 5, { durationUs: 50_000, ...more }))

test('two agents with one tool name have a rule each, proven by their own executions alone', async (t) => {
  const workspaceId = await makeWorkspace(query)
  await storeEvents(query, workspaceId, [
    ...makeRuns(600, 1, { agent: 'first', inputHash: 'a' }),
    ...makeRuns(600, 1, { agent: 'second', inputHash: 'b' }).map((run, at) => ({
      ...run,
      contentHash: `content ${Math.floor(at / 2)}`,
    })),
  ])
  t.is((await propose(workspaceId)).proposed.length, 2)
  await query(`update decisions set state = 'shadow', shadow_at = now() where workspace_id = $1`, [workspaceId])
  await untilSeen(base, workspaceId)
  const decisions = await listDecisions(workspaceId)
  const of = (name: string): string => decisions.find((one) => one.agent_id === agentIdOf(workspaceId, name))?.id ?? ''
  for (const { id } of decisions) await gateDecision({ db, nowMs: Date.now }, workspaceId, id)
  t.like(await readServed(base, { workspaceId, decisionId: of('first') }), { proven: true, inputs: ['a'] })
  t.false((await readServed(base, { workspaceId, decisionId: of('second') })).proven)
})

test('each version has its own rule, proven by its own executions', async (t) => {
  const workspaceId = await makeWorkspace(query)
  const runs = makeRuns(1_200, 1).map((run, at) => ({
    ...run,
    // The versions run in turn, and their results contradict each other.
    toolVersion: at % 3 === 0 ? '1' : '2',
    contentHash: `schema ${at % 3 === 0 ? '1' : '2'}`,
  }))
  await storeEvents(query, workspaceId, runs)
  const { proposed } = await propose(workspaceId)
  t.deepEqual(
    proposed.map(({ config }) => config['tool_version']),
    ['2'],
  )
  await query(`update decisions set state = 'shadow', shadow_at = now() where workspace_id = $1`, [workspaceId])
  await untilSeen(base, workspaceId)
  const [decision] = await listDecisions(workspaceId)
  await gateDecision({ db, nowMs: Date.now }, workspaceId, decision?.id ?? '')
  t.like(await readServed(base, { workspaceId, decisionId: decision?.id ?? '' }), { proven: true })
})

test('the version that runs more often replaces the other one, and keeps its place even if the other returns', async (t) => {
  const workspaceId = await makeWorkspace(query)
  // The old version has run for days, and is therefore worth more.
  await storeEvents(query, workspaceId, makeRuns(400, 2_000, { toolVersion: '1', providedCostUsd: 0.01 }))
  const turns = openTurns(base, workspaceId, { judgeEveryMs: 3_600_000, passEveryMs: 3_600_000 })
  await turns.take()
  const versions = async (): Promise<string[]> =>
    (await listDecisions(workspaceId)).map((one) => `${one.tool_version} ${one.state}${one.evicted ? ' evicted' : ''}`)
  t.deepEqual(await versions(), ['1 shadow'])
  // Makes the workspace look as if no spans had arrived lately.
  await query('delete from commits where workspace_id = $1', [workspaceId])

  await storeEvents(query, workspaceId, [
    ...makeRuns(5, 1, { toolVersion: '1', providedCostUsd: 0.01 }),
    ...makeRuns(30, 1, { toolVersion: '2', providedCostUsd: 0.01 }),
  ])
  for (let turn = 0; turn < 5; turn += 1) t.not(await turns.take(), 'failed')
  t.deepEqual(turns.errors, [])
  t.deepEqual(await versions(), ['1 disabled evicted', '2 shadow'])
  t.is(turns.moved.filter((one) => one === 'disabled evicted').length, 1)
  const [first] = await listDecisions(workspaceId)
  t.is(
    (await readTrail(base, { workspaceId, decisionId: first?.id ?? '' })).at(-1)?.reason,
    'the tool now runs more often as version 2',
  )

  // A release that is taken back need not wait for 30 days.
  await query('delete from events where workspace_id = $1 and tool_version = $2', [workspaceId, '2'])
  await storeEvents(query, workspaceId, makeRuns(20, 0, { toolVersion: '1', providedCostUsd: 0.01 }))
  for (let turn = 0; turn < 3; turn += 1) await turns.take()
  const [, second, third] = await versions()
  t.is(second, '2 disabled evicted')
  // Active at once if the pass already saw the earlier executions of this version.
  t.regex(third ?? '', /^1 (shadow|active)$/)
})

test('a version whose rule serves keeps its place, though its real calls are few', async (t) => {
  for (const isServing of [true, false]) {
    const workspaceId = await makeWorkspace(query)
    await storeEvents(query, workspaceId, makeRuns(20, 5, { toolVersion: '1', providedCostUsd: 0.01 }))
    const [first] = (await propose(workspaceId)).proposed
    await storeEvents(query, workspaceId, [
      ...makeRuns(60, 1, { toolVersion: '2', providedCostUsd: 0.01 }),
      ...(isServing
        ? [makeRun(1, { served: true, attested: false, inputHash: null, decisionId: first?.id ?? '' })]
        : []),
    ])
    const { evictions } = await propose(workspaceId)
    t.is(evictions.length, isServing ? 0 : 1)
  }
})

for (const actor of ['user', 'gate'] as const) {
  const keeps = actor === 'user'
  test(`a decision that the ${actor} has moved is ${keeps ? 'never ' : ''}replaced by another one`, async (t) => {
    const workspaceId = await makeWorkspace(query)
    await storeEvents(query, workspaceId, makeRuns(20, 5, { toolVersion: '1', providedCostUsd: 0.01 }))
    const [first] = (await propose(workspaceId)).proposed
    await moveDecision({ db }, { workspaceId, decisionId: first?.id ?? '', to: 'shadow', actor })
    await storeEvents(query, workspaceId, makeRuns(60, 1, { toolVersion: '2', providedCostUsd: 0.01 }))
    t.is((await propose(workspaceId)).evictions.length, keeps ? 0 : 1, 'another version of the tool')
    await storeEvents(query, workspaceId, makeRuns(60, 0, { tool: 'dear', providedCostUsd: 0.5 }))
    t.is((await propose(workspaceId, { maxOpen: 1 })).evictions.length > 0, !keeps, 'a more valuable tool')
  })
}

test('no rule of one agent is proposed beside a user’s rule for every agent', async (t) => {
  const workspaceId = await makeWorkspace(query)
  await storeEvents(query, workspaceId, makeRuns(20, 1))
  await query(
    `insert into decisions (id, workspace_id, type, state, tool_name, config) values (gen_random_uuid(), $1, 'reuse_identity', 'shadow', 'search', '{}')`,
    [workspaceId],
  )
  t.deepEqual((await propose(workspaceId)).proposed, [])
})

test('a more valuable subject replaces the least valuable one, once', async (t) => {
  const workspaceId = await makeWorkspace(query)
  const cheap = [0.02, 0.03].flatMap((usd) => makeRuns(10, 5, { tool: `costs_${usd}`, providedCostUsd: usd }))
  await storeEvents(query, workspaceId, cheap)
  t.is((await propose(workspaceId, { maxOpen: 2 })).proposed.length, 2)
  await storeEvents(query, workspaceId, [
    ...makeRuns(10, 1, { tool: 'costs_0.5', providedCostUsd: 0.5 }),
    ...makeRuns(10, 1, { tool: 'costs_0.01', providedCostUsd: 0.01 }),
  ])
  const { proposed, evictions, left } = await propose(workspaceId, { maxOpen: 2 })
  t.deepEqual([proposed.length, left], [0, 2])
  const first = (await listDecisions(workspaceId)).find((one) => one.tool_name === 'costs_0.02')
  t.deepEqual(evictions, [
    {
      decisionId: first?.id ?? '',
      state: 'proposed',
      reason: 'replaced by a rule for the tool costs_0.5, which saves more',
    },
  ])
  await query(`update decisions set state = 'disabled', disabled_at = now(), evicted = true where id = $1`, [first?.id])
  const next = await propose(workspaceId, { maxOpen: 2 })
  t.deepEqual(
    next.proposed.map(({ config }) => config['tool_name']),
    ['costs_0.5'],
  )
  t.deepEqual(next.evictions, [])
  t.deepEqual((await propose(workspaceId, { maxOpen: 2 })).evictions, [])
})

test('subjects of nearly the same value do not replace each other', async (t) => {
  const workspaceId = await makeWorkspace(query)
  const run = (tool: string, count: number) => makeRuns(count, 1, { tool, providedCostUsd: 0.02 })
  await storeEvents(query, workspaceId, [...run('one', 20), ...run('two', 20), ...run('three', 20)])
  t.is((await propose(workspaceId, { maxOpen: 2 })).proposed.length, 2)
  await storeEvents(query, workspaceId, [...run('one', 8), ...run('two', 8), ...run('three', 8)])
  t.deepEqual((await propose(workspaceId, { maxOpen: 2 })).evictions, [])
})
