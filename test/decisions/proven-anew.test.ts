// The migration after which rules must be proven by the replay: a rule that was activated by another measurement goes back to shadow, with
// the reason in its trail.
import { randomUUID } from 'node:crypto'
import test from 'ava'
import pg from 'pg'
import { migrate } from '../../src/store/migrate.ts'
import { loadMigrations } from '../../src/store/schema.ts'
import { makeEmptyDatabase } from '../store/_empty-database.ts'

test('active rules return to shadow, their audit trail says why, and SDKs of their workspaces are notified', async (t) => {
  const empty = await makeEmptyDatabase()
  const all = loadMigrations()
  await migrate(empty.url, { migrations: all.filter(({ version }) => version <= 11) })
  const client = new pg.Client({ connectionString: empty.url })
  await client.connect()
  t.teardown(async () => {
    await client.end()
    await empty.stop()
  })
  const [busy, idle] = [randomUUID(), randomUUID()]
  for (const id of [busy, idle]) {
    await client.query(`insert into orgs (id, name) values ($1, 'org')`, [id])
    await client.query(
      `insert into workspaces (id, org_id, name, plan, redaction_secret, rules_version) values ($1, $1, 'w', 'free', '\\x01', 7)`,
      [id],
    )
  }
  const add = async (workspaceId: string, tool: string, state: string): Promise<string> => {
    const id = randomUUID()
    await client.query(
      `insert into decisions (id, workspace_id, type, state, tool_name, config, activated_at, shadow_samples, shadow_match_rate, score)
       values ($1, $2, 'reuse_identity', $3, $4, '{"freshness_s": 86400}', now(), 81, 1, '{"verdict": "pass"}')`,
      [id, workspaceId, state, tool],
    )
    return id
  }
  const active = await add(busy, 'search', 'active')
  const others = [
    await add(busy, 'fetch', 'shadow'),
    await add(idle, 'search', 'disabled'),
    await add(idle, 'fetch', 'proposed'),
  ]

  await migrate(empty.url, { migrations: all })
  const { rows } = await client.query(
    `select state, previous_state, shadow_samples::int, shadow_match_rate, score, shadow_at is not null as is_new, inputs, proven, forced
     from decisions where id = $1`,
    [active],
  )
  t.deepEqual(rows, [
    {
      state: 'shadow',
      previous_state: 'active',
      shadow_samples: 0,
      shadow_match_rate: null,
      score: null,
      is_new: true,
      inputs: null,
      proven: false,
      forced: false,
    },
  ])
  const trail = await client.query('select decision_id, from_state, to_state, actor, reason from decision_transitions')
  t.deepEqual(trail.rows, [
    {
      decision_id: active,
      from_state: 'active',
      to_state: 'shadow',
      actor: 'gate',
      reason:
        'the gate now measures what is served at the age at which it is served; the rule was proven by another measurement',
    },
  ])
  const kept = await client.query<{ state: string }>('select state from decisions where id = any ($1) order by state', [
    others,
  ])
  t.deepEqual(
    kept.rows.map(({ state }) => state),
    ['disabled', 'proposed', 'shadow'],
  )
  const versions = await client.query<{ id: string; version: number }>(
    'select id, rules_version::int as version from workspaces',
  )
  const versionOf = (workspaceId: string) => versions.rows.find(({ id }) => id === workspaceId)?.version
  t.deepEqual([versionOf(busy), versionOf(idle)], [8, 7])
})
