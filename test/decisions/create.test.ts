// New decisions: one live decision for each subject, with the first line of its audit trail.
import { randomUUID } from 'node:crypto'
import test from 'ava'
import { completeConfig, type DecisionType, type GivenConfig } from '../../src/decisions/config.ts'
import { createDecision, type Proposal } from '../../src/decisions/create.ts'
import { moveDecision } from '../../src/decisions/move.ts'
import { useDatabase } from '../_kit/use-database.ts'
import { usualRules } from '../_kit/usual-rules.ts'
import { makeWorkspace } from '../_kit/workspace.ts'

const { db, query } = useDatabase()

const propose = async (workspaceId: string, given: GivenConfig, more: Partial<Proposal> = {}) =>
  await db.tx(
    async (tx) =>
      await createDecision(tx, {
        workspaceId,
        type: 'reuse_identity' satisfies DecisionType,
        config: completeConfig(given, usualRules(3_600)),
        actor: 'gate',
        ...more,
      }),
  )

test('a new decision is proposed, and its audit trail begins', async (t) => {
  const workspaceId = await makeWorkspace(query)
  const userId = randomUUID()
  const given = { tool_name: 'search', tool_version: '1.2', input_hash: 'sha256:1', task_type: 'triage' }
  const { created, row } = await propose(workspaceId, given, { actor: 'user', userId, reason: 'it repeats' })
  t.true(created)
  const [kept] = await query('select tool_version, proven, forced, evicted, inputs from decisions where id = $1', [
    row.id,
  ])
  t.deepEqual(kept, { tool_version: '1.2', proven: false, forced: false, evicted: false, inputs: null })
  t.like(row, {
    type: 'reuse_identity',
    state: 'proposed',
    previous_state: null,
    config: {
      tool_name: 'search',
      tool_version: '1.2',
      input_hash: 'sha256:1',
      agent_id: null,
      task_type: 'triage',
      freshness_s: 3_600,
      holdout_rate: 0.05,
      floor: 0.95,
      alpha: 0.05,
      min_samples: 30,
      evidence: {},
    },
    shadow_samples: 0,
    score: null,
    shadow_at: null,
    activated_at: null,
    disabled_at: null,
  })
  t.deepEqual(row.proposed_at, row.created_at)
  const trail = await query('select * from decision_transitions where decision_id = $1', [row.id])
  t.is(trail.length, 1)
  t.like(trail[0], {
    workspace_id: workspaceId,
    from_state: null,
    to_state: 'proposed',
    actor: 'user',
    user_id: userId,
    reason: 'it repeats',
    measures: null,
    at: row.proposed_at,
  })
})

test('a subject has one live decision; other subjects have their own; a disabled one can be replaced', async (t) => {
  const workspaceId = await makeWorkspace(query)
  const agent = randomUUID()
  const given = { tool_name: 'search', input_hash: 'a' }
  const first = await propose(workspaceId, given)
  const again = await propose(workspaceId, { ...given, floor: 0.9 })
  t.false(again.created)
  t.deepEqual(again.row, first.row)
  t.false((await propose(workspaceId, { ...given, tool_version: '2' })).created)
  const others = [
    await propose(workspaceId, { ...given, agent_id: agent }),
    await propose(workspaceId, { tool_name: 'search', input_hash: 'b' }),
    await propose(workspaceId, { tool_name: 'fetch', input_hash: 'a' }),
    await propose(workspaceId, { tool_name: 'search' }),
    await propose(workspaceId, { tool_name: 'search' }, { type: 'suppress_dead' }),
    await propose(await makeWorkspace(query), given),
  ]
  t.true(others.every(({ created }) => created))
  t.false((await propose(workspaceId, { tool_name: 'search' }, { type: 'suppress_dead' })).created)

  await moveDecision({ db }, { workspaceId, decisionId: first.row.id, to: 'disabled', actor: 'gate' })
  const next = await propose(workspaceId, given)
  t.true(next.created)
  t.not(next.row.id, first.row.id)
})

test('concurrent proposals of the same subject create one decision with one audit entry', async (t) => {
  const workspaceId = await makeWorkspace(query)
  const given = { tool_name: 'search', input_hash: 'a', task_type: 'triage' }
  const all = await Promise.all(Array.from({ length: 6 }, async () => await propose(workspaceId, given)))
  t.is(all.filter(({ created }) => created).length, 1)
  t.is(new Set(all.map(({ row }) => row.id)).size, 1)
  t.is((await query('select from decision_transitions where workspace_id = $1', [workspaceId])).length, 1)
})

test('a task type has one id in a workspace, by its name', async (t) => {
  const [one, two] = [await makeWorkspace(query), await makeWorkspace(query)]
  const typeOf = async (workspaceId: string, tool: string, taskType: string | null): Promise<string | null> =>
    (await propose(workspaceId, { tool_name: tool, input_hash: 'a', task_type: taskType })).row.task_type_id
  const first = await typeOf(one, 'a', 'triage')
  t.truthy(first)
  t.is(await typeOf(one, 'b', 'triage'), first)
  t.not(await typeOf(one, 'c', 'review'), first)
  t.not(await typeOf(two, 'a', 'triage'), first)
  t.is(await typeOf(one, 'd', null), null)
})

test('a failure after the creation leaves no decision, audit entry or task type', async (t) => {
  const workspaceId = await makeWorkspace(query)
  const config = completeConfig({ tool_name: 'search', input_hash: 'a', task_type: 'triage' }, usualRules(60))
  await t.throwsAsync(
    db.tx(async (tx) => {
      await createDecision(tx, { workspaceId, type: 'reuse_identity', config, actor: 'gate' })
      throw new Error('stop')
    }),
    { message: 'stop' },
  )
  for (const table of ['decisions', 'decision_transitions', 'task_types']) {
    t.is((await query(`select from ${table} where workspace_id = $1`, [workspaceId])).length, 0, table)
  }
})
