// Proposals by hand: their fields, and which are refused.
import { randomUUID } from 'node:crypto'
import test from 'ava'
import { agentIdOf, hexId, storeEvents } from '../_kit/events.ts'
import { type Decision, type DecisionHttp, decisionOf, listOf, openDecisionHttp, search } from './_http.ts'

let world: DecisionHttp
test.before(async () => {
  world = await openDecisionHttp()
})
test.after.always(async () => await world.stop())

test('a proposal by hand has every field of a decision, and a config that is complete', async (t) => {
  const ada = await world.people.add()
  const answer = await world.post(ada, '', {
    ...search,
    config: { floor: 0.9, evidence: { trace_ids: ['a'] }, note: [1] },
  })
  t.is(answer.status, 201)
  const { id: _id, proposed_at: proposedAt, created_at: createdAt, ...rest } = answer.body
  t.deepEqual(rest as unknown, {
    task_type_id: null,
    type: 'reuse_identity',
    state: 'proposed',
    previous_state: null,
    config: {
      tool_name: 'search',
      tool_version: null,
      input_hash: 'sha256:0f',
      agent_id: null,
      task_type: null,
      freshness_s: 86_400,
      holdout_rate: 0.05,
      floor: 0.9,
      alpha: 0.05,
      min_samples: 30,
      evidence: { trace_ids: ['a'] },
      note: [1],
    },
    shadow_samples: 0,
    shadow_match_rate: null,
    cost_delta_usd: null,
    latency_delta_ms: null,
    quality_delta: null,
    score: null,
    shadow_at: null,
    activated_at: null,
    disabled_at: null,
  })
  t.is(proposedAt, createdAt)
  t.deepEqual(decisionOf(await world.get(ada, `/${decisionOf(answer).id}`)), decisionOf(answer))
  t.deepEqual(listOf<Decision>(await world.get(ada)), [decisionOf(answer)])
})

test('how a rule is judged comes from the workspace where the proposal does not say', async (t) => {
  const ada = await world.people.add()
  const path = `/v1/workspaces/${ada.workspaceId}/settings`
  const set = { holdout_rate: 0.1, floor: 0.99, alpha: 0.01 }
  await world.call('PATCH', path, { token: ada.token, body: { default_freshness_s: 120, ...set } })
  t.like((await world.propose(ada)).config, { freshness_s: 120, ...set })
  const other = { ...search, tool_name: 'fetch', config: { freshness_s: 60, floor: 0.9, task_type: 'triage' } }
  t.like((await world.propose(ada, other)).config, { ...set, freshness_s: 60, floor: 0.9, task_type: 'triage' })
})

test('a rule about all inputs of one version of a tool is proposed where no input is named', async (t) => {
  const ada = await world.people.add()
  const body = { type: 'reuse_identity', tool_name: 'search', tool_version: '2' }
  t.like((await world.propose(ada, body)).config, { tool_version: '2', input_hash: null, agent_id: null })
  const rows = await world.database.query(
    'select tool_version, input_hash, agent_id from decisions where workspace_id = $1',
    [ada.workspaceId],
  )
  t.deepEqual(rows, [{ tool_version: '2', input_hash: null, agent_id: null }])
  // Another version is not another subject: a tool of an agent has one rule.
  t.is((await world.post(ada, '', { ...body, tool_version: '3', input_hash: null })).status, 409)
  t.is((await world.post(ada, '', { ...body, input_hash: 'sha256:0f' })).status, 201)
})

test('suppress_dead holds for every input: an input hash is ignored', async (t) => {
  const ada = await world.people.add()
  const { config, id } = await world.propose(ada, { ...search, type: 'suppress_dead' })
  t.is(config['input_hash'], null)
  const [row] = await world.database.query('select input_hash from decisions where id = $1', [id])
  t.deepEqual(row, { input_hash: null })
  t.is((await world.post(ada, '', { type: 'suppress_dead', tool_name: 'search' })).status, 409)
})

test('values in the body take precedence over those in the config', async (t) => {
  const ada = await world.people.add()
  const config = { tool_name: 'other', input_hash: 'other', agent_id: 'other' }
  t.like((await world.propose(ada, { ...search, config })).config, {
    tool_name: 'search',
    input_hash: 'sha256:0f',
    agent_id: null,
  })
})

test('a subject that has a decision is a 409 that says so, until that one is disabled', async (t) => {
  const ada = await world.people.add()
  const first = await world.propose(ada)
  const again = await world.post(ada, '', { ...search, config: { floor: 0.9 } })
  t.is(again.status, 409)
  t.is(again.body['detail'], 'A decision with this type, tool, input and agent already exists; disable it first')
  t.is(listOf(await world.get(ada)).length, 1)
  await world.take(ada, first.id, 'disabled')
  t.not((await world.propose(ada)).id, first.id)
})

test('of concurrent proposals of the same subject, one creates the decision', async (t) => {
  const ada = await world.people.add()
  const answers = await Promise.all(Array.from({ length: 4 }, async () => await world.post(ada, '', search)))
  t.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 409, 409, 409],
  )
  t.is(listOf(await world.get(ada)).length, 1)
})

test('a rule may be narrowed to an agent of the workspace, and to no other', async (t) => {
  const [ada, eve] = [await world.people.add(), await world.people.add()]
  for (const { workspaceId } of [ada, eve]) {
    const seed = { start: '2026-01-01T00:00:00Z', trace: hexId(1, 32), span: hexId(1, 16), agent: 'planner' }
    await storeEvents(world.database.query, workspaceId, [seed])
  }
  const agentId = agentIdOf(ada.workspaceId, 'planner')
  t.is((await world.propose(ada, { ...search, agent_id: agentId.toUpperCase() })).config['agent_id'], agentId)
  const foreign = await world.post(ada, '', { ...search, agent_id: agentIdOf(eve.workspaceId, 'planner') })
  const missing = await world.post(ada, '', { ...search, agent_id: randomUUID() })
  t.is(foreign.status, 404)
  t.is(foreign.text, '{"detail":"Not found"}')
  t.is(missing.text, foreign.text)
  t.is(listOf(await world.get(ada)).length, 1)
})

test('the number of live decisions of a workspace is limited', async (t) => {
  const ada = await world.people.add()
  await world.database.query(
    `insert into decisions (id, workspace_id, type, state, tool_name, config)
     select gen_random_uuid(), $1, 'suppress_dead', case when n = 0 then 'disabled' else 'shadow' end, 'tool ' || n, '{}'
     from generate_series(0, 999) n`,
    [ada.workspaceId],
  )
  await world.propose(ada)
  const answer = await world.post(ada, '', { ...search, tool_name: 'one more' })
  t.is(answer.status, 409)
  t.regex(String(answer.body['detail']), /reached its limit of decisions/)
})

test('a large config counts as several decisions, and a disabled decision returns only within the limit', async (t) => {
  const ada = await world.people.add()
  const { id } = await world.propose(ada)
  await world.take(ada, id, 'disabled')
  await world.database.query(
    `insert into decisions (id, workspace_id, type, state, tool_name, config)
     select gen_random_uuid(), $1, 'suppress_dead', 'shadow', 'tool ' || n, jsonb_build_object('note', repeat('x', 10000))
     from generate_series(1, 142) n`,
    [ada.workspaceId],
  )
  const config = { note: 'x'.repeat(16_000) }
  t.is((await world.post(ada, '', { ...search, tool_name: 'last', config })).status, 201)
  for (const answer of [
    await world.post(ada, '', { ...search, tool_name: 'one more' }),
    await world.post(ada, `/${id}/transitions`, { to: 'shadow' }),
  ]) {
    t.is(answer.status, 409)
    t.regex(String(answer.body['detail']), /reached its limit of decisions/)
  }
})

const nest = (levels: number): unknown => (levels === 0 ? 'bottom' : [nest(levels - 1)])

for (const [what, body, loc, type] of [
  ['nothing', {}, 'type', 'missing'],
  ['an unknown type', { ...search, type: 'cache' }, 'type', 'enum'],
  ['no tool', { type: 'suppress_dead' }, 'tool_name', 'missing'],
  ['an empty tool name', { ...search, tool_name: '' }, 'tool_name', 'string_too_short'],
  ['a tool name beyond all', { ...search, tool_name: 'x'.repeat(257) }, 'tool_name', 'string_too_long'],
  ['a tool name with U+0000', { ...search, tool_name: 'a\0' }, 'tool_name', 'string_unicode'],
  ['half a character', { ...search, tool_name: 'a\ud800' }, 'tool_name', 'string_unicode'],
  ['a number for a tool', { ...search, tool_name: 1 }, 'tool_name', 'string_type'],
  ['an empty version', { ...search, tool_version: '' }, 'tool_version', 'string_too_short'],
  ['a version beyond all', { ...search, tool_version: 'x'.repeat(129) }, 'tool_version', 'string_too_long'],
  ['an input hash that is none', { ...search, input_hash: 'a b' }, 'input_hash', 'string_pattern_mismatch'],
  ['a long input hash', { ...search, input_hash: 'a'.repeat(129) }, 'input_hash', 'string_too_long'],
  ['no agent id', { ...search, agent_id: 'planner' }, 'agent_id', 'uuid_parsing'],
  ['a list for a config', { ...search, config: [] }, 'config', 'model_attributes_type'],
  ['a second of freshness', { ...search, config: { freshness_s: 1 } }, 'freshness_s', 'greater_than_equal'],
  ['half a second', { ...search, config: { freshness_s: 60.5 } }, 'freshness_s', 'int_type'],
  ['no holdout', { ...search, config: { holdout_rate: 0 } }, 'holdout_rate', 'greater_than_equal'],
  ['all held out', { ...search, config: { holdout_rate: 1 } }, 'holdout_rate', 'less_than_equal'],
  ['a floor of one', { ...search, config: { floor: 1 } }, 'floor', 'less_than_equal'],
  ['an alpha of one half', { ...search, config: { alpha: 0.5 } }, 'alpha', 'less_than_equal'],
  ['no samples', { ...search, config: { min_samples: 0 } }, 'min_samples', 'greater_than_equal'],
  ['text for evidence', { ...search, config: { evidence: 'none' } }, 'evidence', 'dict_type'],
  ['a config with U+0000', { ...search, config: { note: { a: ['\0'] } } }, 'config', 'string_unicode'],
  ['a config with such a key', { ...search, config: { 'a\ud800': 1 } }, 'config', 'string_unicode'],
  ['a config of 20 levels', { ...search, config: { note: nest(20) } }, 'config', 'value_error'],
  ['a config like a book', { ...search, config: { note: 'x'.repeat(20_000) } }, 'config', 'string_too_long'],
] as const) {
  test(`a proposal with ${what} is a 422 that names it`, async (t) => {
    const ada = await world.people.add()
    const { status, body: answer } = await world.post(ada, '', body)
    t.is(status, 422)
    const [item] = answer['detail'] as { loc: string[]; type: string; msg: string }[]
    t.is(item?.loc[0], 'body')
    t.is(item?.loc.at(-1), loc)
    t.is(item?.type, type)
    t.is(listOf(await world.get(ada)).length, 0)
  })
}
