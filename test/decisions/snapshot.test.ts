import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { inputPrefix } from '../../src/base/input-prefix.ts'
import { readRules } from '../../src/decisions/snapshot.ts'
import { rulesResponse } from '../../src/serving/routes.ts'
import { makeDatabase } from '../_kit/db.ts'
import { inSoak } from '../_kit/soak.ts'
import { addDecision, makeWorkspace } from '../_kit/workspace.ts'

test('the rules are the active decisions of the workspace, and the same state gives the same bytes', async (t) => {
  const { db, query, stop } = await makeDatabase()
  const deps = { db, pollAfterS: 30 }
  const workspaceId = await makeWorkspace(query)
  const other = await makeWorkspace(query)

  const none = await readRules(deps, workspaceId, null)
  if (none === null || none === 'same') return t.fail()
  t.like(JSON.parse(none.text), { version: '0.0', poll_after_s: 30, rules: [] })

  const agentId = makeUuidV7()
  await query(
    "insert into agents (workspace_id, id, name, first_seen, last_seen) values ($1, $2, 'critic', now(), now())",
    [workspaceId, agentId],
  )
  const first = await addDecision(query, workspaceId, {
    config: { freshness_s: 60, holdout_rate: 0.2, extra: [1] },
    inputHash: 'hash',
    inputs: ['hash'],
    agentId,
  })
  await addDecision(query, workspaceId, { state: 'shadow' })
  await addDecision(query, workspaceId, { state: 'disabled' })
  const second = await addDecision(query, workspaceId, {
    type: 'suppress_dead',
    inputHash: null,
    config: { freshness_s: 'x' },
  })
  await addDecision(query, other, {})

  const rules = await readRules(deps, workspaceId, none.version)
  if (rules === null || rules === 'same') return t.fail()
  t.regex(rules.version, /^[\da-f]{12}\.4$/)
  const body = rulesResponse.parse(JSON.parse(rules.text))
  t.deepEqual(
    body.rules.map(({ decision_id }) => decision_id),
    [first, second],
  )
  t.like(body.rules[0], {
    type: 'reuse_identity',
    tool_name: 'search',
    input_hash: 'hash',
    agent_id: agentId,
    agent_name: 'critic',
    freshness_s: 60,
    holdout_rate: 0.2,
    config: { freshness_s: 60, holdout_rate: 0.2, extra: [1] },
  })
  t.like(body.rules[1], { input_hash: null, agent_id: null, agent_name: null, freshness_s: 86_400, holdout_rate: 0.05 })

  t.is(await readRules(deps, workspaceId, rules.version), 'same')
  await new Promise((later) => setTimeout(later, 5))
  t.deepEqual(await readRules(deps, workspaceId, null), rules)

  await query('update workspaces set deleted_at = now() where id = $1', [workspaceId])
  t.is(await readRules(deps, workspaceId, null), null)
  t.is(await readRules(deps, makeUuidV7(), null), null)
  await stop()
  await t.throwsAsync(readRules(deps, workspaceId, null), { instanceOf: Outage })
})

test('a rule contains its tool version, its inputs, whether it is proven, and the invalidations', async (t) => {
  const { db, query, stop } = await makeDatabase()
  const workspaceId = await makeWorkspace(query)
  const agentId = makeUuidV7()
  await query(
    "insert into agents (workspace_id, id, name, first_seen, last_seen) values ($1, $2, 'critic', now(), now())",
    [workspaceId, agentId],
  )
  const hashes = ['b', 'sha256:ffffffffffffffffff', 'a', 'sha256:0000000000000000']
  const add = async (options: Parameters<typeof addDecision>[2]) => await addDecision(query, workspaceId, options)
  await add({ inputs: hashes, toolVersion: '2', agentId, proven: true })
  await add({ inputHash: 'one', inputs: ['one'], proven: false })
  // These rules serve nothing yet.
  await add({ inputHash: 'not proven', inputs: [] })
  await add({ inputHash: null, agentId: makeUuidV7(), proven: false })
  await add({ type: 'suppress_dead', inputHash: null, proven: false })
  const read = async () => {
    const rules = await readRules({ db, pollAfterS: 30 }, workspaceId, null)
    if (rules === null || rules === 'same') throw new Error('there are no rules')
    return rulesResponse.parse(JSON.parse(rules.text)).rules
  }
  const rules = await read()
  t.deepEqual(
    rules.map(({ tool_version, input_hash, inputs, proven, executed_after }) => [
      tool_version,
      input_hash,
      inputs?.length ?? null,
      proven,
      executed_after,
    ]),
    [
      ['2', null, 4, true, null],
      [null, 'one', null, false, null],
      [null, null, 0, false, null],
      [null, null, null, false, null],
    ],
  )
  t.deepEqual(rules[0]?.inputs, hashes.map(inputPrefix).sort())

  // The invalidations began a minute ago.
  const beganMs = Math.floor(Date.now() / 1_000) * 1_000 - 60_000
  const at = (nth: number): string => new Date(beganMs + nth * 1_000).toISOString()
  const invalidations: readonly (readonly [agent: string | null, version: string | null, input: string | null])[] = [
    ['critic', '2', null],
    [null, null, 'one'],
    ['critic', null, 'one'],
    [null, '3', null],
    [null, '2', 'a'],
    ['coder', null, null],
  ]
  for (const [nth, [agent, version, input]] of invalidations.entries()) {
    await query(
      `insert into invalidations (workspace_id, id, at, tool_name, agent_name, tool_version, input_hash)
       values ($1, gen_random_uuid(), $2, 'search', $3, $4, $5)`,
      [workspaceId, at(nth), agent, version, input],
    )
  }
  const after = async () => (await read()).map(({ executed_after }) => executed_after)
  // Those from the second on name no agent, so an invalidation of any agent may concern them; suppress_dead lists no inputs.
  t.deepEqual(await after(), [at(0), at(5), at(5), at(5)])
  // `a` was invalidated a moment ago.
  const invalidateAt = `update invalidations set at = now() - $1::interval where input_hash = 'a'`
  await query(invalidateAt, ['1 second'])
  const listed = async () => (await read())[0]?.inputs
  const left = hashes.filter((hash) => hash !== 'a')
  t.deepEqual(await listed(), left.map(inputPrefix).sort())
  await query(invalidateAt, ['3 minutes'])
  t.deepEqual(await listed(), hashes.map(inputPrefix).sort())
  await query(
    "insert into invalidations (workspace_id, id, at, tool_name) values ($1, gen_random_uuid(), $2, 'search')",
    [workspaceId, at(9)],
  )
  t.deepEqual(await after(), [at(9), at(9), at(9), at(9)])
  await stop()
})

test('every write of the rules has its own mark, even if its number was used before', async (t) => {
  const { db, query, stop } = await makeDatabase()
  const workspaceId = await makeWorkspace(query)
  const readVersion = async (ifVersion: string | null): Promise<string> => {
    const rules = await readRules({ db, pollAfterS: 30 }, workspaceId, ifVersion)
    return rules === null || rules === 'same' ? String(rules) : rules.version
  }
  const seen = [await readVersion(null)]
  t.is(seen[0], '0.0')
  // Writes versions as the previous release does, and as a restored database that gives a number again.
  for (const number of ['rules_version + 1', '1', '1', 'rules_version + 1']) {
    await query(`update workspaces set rules_version = ${number} where id = $1`, [workspaceId])
    for (const held of seen) t.not(await readVersion(held), 'same')
    seen.push(await readVersion(null))
  }
  t.deepEqual(
    seen.map((version) => version.split('.')[1]),
    ['0', '1', '1', '1', '2'],
  )
  t.is(new Set(seen).size, seen.length)
  await query("update workspaces set name = 'another' where id = $1", [workspaceId])
  t.is(await readVersion(seen.at(-1) ?? null), 'same', 'what is no write of the rules leaves the mark')
  await stop()
})

test('the rules that fill all limits of a workspace are a body that SDKs take', async (t) => {
  const { db, query, stop } = await makeDatabase()
  const workspaceId = await makeWorkspace(query)
  // 1,000 rules, each with names that take six bytes for each character, and a config of 1.5 KiB. The first rule has as many inputs as one
  // rule may have; the others have more than their share. In the soak, all have as many as one rule may have.
  const [tool, agent] = ['\u0001'.repeat(170), '\u0001'.repeat(256)]
  const config = { tool_name: tool, note: '' }
  await query(
    `with agent as (
       insert into agents (workspace_id, id, name, first_seen, last_seen) values ($1, gen_random_uuid(), $4, now(), now()) returning id
     )
     insert into decisions (id, workspace_id, type, state, tool_name, tool_version, agent_id, config, inputs, proven, activated_at)
     select gen_random_uuid(), $1, 'reuse_identity', 'active', $2::text || n, 'version ' || n, agent.id, $3::jsonb, i.inputs, true, now()
     from generate_series(1, 1000) n, agent,
       lateral (
         select array_agg('sha256:' || rpad(lpad(to_hex(k), 4, '0'), 64, '0') order by k) as inputs
         from generate_series(1, case n when 1 then 4096 else $5::int end) k
       ) i`,
    [
      workspaceId,
      tool,
      { ...config, note: 'x'.repeat(1_500 - JSON.stringify(config).length) },
      agent,
      inSoak(200, 4_096),
    ],
  )
  t.like(await db.row('decisions/read-workspace', [workspaceId, 1_000]), { living: 1_000 })
  const rules = await readRules({ db, pollAfterS: 30 }, workspaceId, null)
  if (rules === null || rules === 'same') return t.fail()
  t.true(Buffer.byteLength(rules.text) < 8 * 1_024 * 1_024, `${Buffer.byteLength(rules.text)} bytes`)
  const body = rulesResponse.parse(JSON.parse(rules.text))
  t.is(body.rules.length, 1_000)
  t.deepEqual(new Set(body.rules.map(({ inputs }) => inputs?.length)), new Set([196]), 'an even share')
  await query("update decisions set state = 'disabled' where workspace_id = $1 and tool_version <> 'version 1'", [
    workspaceId,
  ])
  const one = await readRules({ db, pollAfterS: 30 }, workspaceId, null)
  if (one === null || one === 'same') return t.fail()
  t.is(rulesResponse.parse(JSON.parse(one.text)).rules[0]?.inputs?.length, 4_096)
  await stop()
})

test('the statement reads decisions by the index that its header names', async (t) => {
  const { query, stop } = await makeDatabase()
  const { loadStatements } = await import('../../src/store/statements.ts')
  const text = loadStatements().get('decisions/active-rules') ?? ''
  t.regex(text, /-- index: decisions_in_force/)
  await query(
    'insert into decisions (id, workspace_id, type, state, tool_name, config) select gen_random_uuid(), gen_random_uuid(), $1, $2, $1, $3 from generate_series(1, 2000)',
    ['x', 'active', {}],
  )
  await query('analyze decisions')
  const id = `'${await makeWorkspace(query)}'`
  const plan = await query(
    `explain ${text.replaceAll('$1', id).replaceAll('$2', "'0.1'").replaceAll('$3', '9').replaceAll('$4', '9')}`,
  )
  t.regex(JSON.stringify(plan), /decisions_in_force/)
  await stop()
})
