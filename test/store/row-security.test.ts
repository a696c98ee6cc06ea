// What a front, an actor and the owner of the tables may do and see. Each refusal has a control: the owner of the tables may.
import { randomUUID } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import type { Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import type { Statements } from '../../src/store/statements.ts'
import { makeDatabase, openTestPool, type TestDatabase } from '../_kit/db.ts'
import { forbidden } from './_forbidden.ts'

const [ours, theirs] = [randomUUID(), randomUUID()]
// A user that owns the tables, as on a managed PostgreSQL, and a login from before the roles existed.
const owner = `owner_${randomUUID().slice(0, 8)}`
const legacy = `legacy_${randomUUID().slice(0, 8)}`
let base: TestDatabase

test.before(async () => {
  base = await makeDatabase()
  for (const role of [owner, legacy]) await base.query(`create role ${role} login password 'test'`)
  await base.query(`grant usage, create on schema public to ${owner}`)
  await base.query(`do $$ declare one record; begin
    for one in select 'table' as kind, oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      union all select 'function', oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace
    loop execute format('alter %s %s owner to ${owner}', one.kind, one.name); end loop; end $$`)
  await base.query(`grant select, insert, update, delete on all tables in schema public to ${legacy}`)
  const org = randomUUID()
  await base.query('insert into orgs (id, name) values ($1, $2)', [org, 'both'])
  for (const workspace of [ours, theirs]) await fill(org, workspace)
})
test.after.always(async () => {
  const { url } = base
  for (const role of [owner, legacy]) await base.query(`reassign owned by ${role} to current_user`)
  for (const role of [owner, legacy]) await base.query(`drop owned by ${role}`)
  await base.stop()
  const client = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href })
  await client.connect()
  for (const role of [owner, legacy]) await client.query(`drop role ${role}`)
  await client.end()
})

/** Inserts a row into each table that has row security. */
async function fill(org: string, workspace: string): Promise<void> {
  await base.query(
    `insert into workspaces (id, org_id, name, plan, redaction_secret) values ($1, $2, 'one', 'self_hosted', '\\x00')`,
    [workspace, org],
  )
  const inserts = [
    `api_keys (workspace_id, id, name, key_prefix, digest, created_by) values ($1, gen_random_uuid(), 'a', 'a', $1::uuid::text::bytea, $1)`,
    `decisions (workspace_id, id, type, state, tool_name, config) values ($1, gen_random_uuid(), 'reuse_identity', 'active', 'a', '{}')`,
    `decision_transitions (workspace_id, id, decision_id, to_state, actor) values ($1, gen_random_uuid(), $1, 'active', 'gate')`,
    `decision_trials (workspace_id, decision_id, start_time, trace_id, span_id, matched, phase) values ($1, $1, now(), '', '', true, 'shadow')`,
    `findings (workspace_id, id, type, subject, severity, status, title, detail, occurrences, evidence, first_seen, last_seen)
       values ($1, gen_random_uuid(), 'a', 'a', 'info', 'open', 'a', 'a', 1, '{}', now(), now())`,
    `invalidations (workspace_id, id, at, tool_name) values ($1, gen_random_uuid(), now(), 'a')`,
    `ladders (workspace_id, tool_name, in_history, next_xid, state) values ($1, 'a', true, '1', '')`,
    `optimizer_progress (workspace_id) values ($1)`,
    `task_types (workspace_id, id, name) values ($1, gen_random_uuid(), 'a')`,
    `unread_evidence (workspace_id, tool_name, next_xid, state) values ($1, 'a', '1', '{}')`,
    `workspace_prices (workspace_id, revision, prices) values ($1, 'a', '[]')`,
  ]
  for (const insert of inserts) await base.query(`insert into ${insert}`, [workspace])
}

const as = (user: string): string => Object.assign(new URL(base.url), { username: user, password: 'test' }).href

async function connect(t: ExecutionContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.teardown(() => client.end())
  return client
}

for (const role of ['front', 'actor'] as const)
  test.serial(
    `what ${role === 'front' ? 'a front' : 'an actor'} must not do is refused, and its owner or a superuser may do it`,
    async (t) => {
      const [client, control] = [await connect(t, base.urls[role]), await connect(t, base.url)]
      // The trigger that protects audit trails lets a session pass that sets the purging flag, which any session can do.
      for (const one of [client, control]) await one.query(`set tracewright.purging = 'on'`)
      for (const statement of forbidden[role]) {
        await t.throwsAsync(client.query(statement), { code: '42501' }, statement)
        await control.query('begin')
        const code = await control.query(statement).then(
          () => null,
          (error: { code: string }) => error.code,
        )
        await control.query('rollback')
        t.not(code, '42501', `${statement} for a superuser`)
      }
    },
  )

const countSql = async (): Promise<string> => {
  const tables = await base.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relrowsecurity and relforcerowsecurity order by 1`,
  )
  return tables.map(({ name }) => `select '${name}' as name, workspace_id from ${name}`).join(' union all ')
}

type Seen = { readonly ours: number; readonly theirs: number }

/** Returns the rows of each workspace that a transaction with this scope sees, over all tables that `user` may read. */
async function look(client: pg.Client, sql: string, scope: string | null): Promise<Seen> {
  await client.query('begin')
  try {
    if (scope !== null) await client.query(`select set_config('tracewright.scope', $1, true)`, [scope])
    const { rows } = await client.query<{ workspace_id: string }>(sql)
    const count = (workspace: string): number => rows.filter((row) => row.workspace_id === workspace).length
    return { ours: count(ours), theirs: count(theirs) }
  } finally {
    await client.query('rollback')
  }
}

test.serial(
  'each sees the workspaces that its transaction is for, and the next transaction none of them',
  async (t) => {
    const sql = await countSql()
    const parts = sql.split(' union all ')
    const all = parts.length
    t.is(all, 11)
    const readable = {
      front: parts.filter((part) => !part.includes('optimizer_progress')),
      actor: parts.filter((part) => !part.includes('api_keys')),
    }
    for (const role of ['front', 'actor'] as const) {
      const client = await connect(t, base.urls[role])
      const mine = readable[role].join(' union all ')
      const most = readable[role].length
      t.is(most, 10)
      t.deepEqual(await look(client, mine, ours), { ours: most, theirs: 0 }, role)
      t.deepEqual(await look(client, mine, null), { ours: 0, theirs: 0 }, `${role}: nothing stays of the scope`)
      t.deepEqual(await look(client, mine, `${ours},${theirs}`), { ours: most, theirs: most }, role)
      t.deepEqual(await look(client, mine, randomUUID()), { ours: 0, theirs: 0 }, role)
      const everything = role === 'actor' ? most : 0
      t.deepEqual(await look(client, mine, '*'), { ours: everything, theirs: everything }, `${role}: all`)
      await t.throwsAsync(look(client, mine, `${ours}' or true`), { code: '22P02' })
      // A session's own temporary relation precedes the catalog on the search path.
      await client.query(
        'create temp table pg_roles (rolname text, oid oid); create temp table pg_class (oid oid, relowner oid)',
      )
      t.deepEqual(await look(client, mine, null), { ours: 0, theirs: 0 }, `${role}: with a catalog of its own`)
    }
    // The owner of the tables, and a login with older privileges: all rows without a scope, as migrations and backups need, and only the
    // requested ones with a scope.
    for (const user of [owner, legacy]) {
      const client = await connect(t, as(user))
      t.deepEqual(await look(client, sql, null), { ours: all, theirs: all }, user)
      t.deepEqual(await look(client, sql, ours), { ours: all, theirs: 0 }, user)
      t.deepEqual(await look(client, sql, '*'), { ours: all, theirs: all }, user)
    }
    // Controls: it is row security that hides rows, and only where it is forced on the owner.
    t.deepEqual(await look(await connect(t, base.url), sql, ours), { ours: all, theirs: all })
    await base.query('alter table decisions no force row level security')
    const decisions = parts.filter((part) => part.endsWith('from decisions')).join('')
    t.deepEqual(await look(await connect(t, as(owner)), decisions, ours), { ours: 1, theirs: 1 })
    await base.query('alter table decisions force row level security')
  },
)

test.serial('rows of another workspace cannot be written or changed', async (t) => {
  const client = await connect(t, base.urls.front)
  const inScope = async (scope: string, text: string): Promise<number> => {
    await client.query('begin')
    try {
      await client.query(`select set_config('tracewright.scope', $1, true)`, [scope])
      return (await client.query(text, [theirs])).rowCount ?? 0
    } finally {
      await client.query('rollback')
    }
  }
  const insert = `insert into task_types (workspace_id, id, name) values ($1, gen_random_uuid(), 'b')`
  await t.throwsAsync(inScope(ours, insert), { code: '42501', message: /row-level security/ })
  t.is(await inScope(theirs, insert), 1)
  const update = `update findings set status = 'acknowledged' where workspace_id = $1`
  t.is(await inScope(ours, update), 0)
  t.is(await inScope(theirs, update), 1)
  await t.throwsAsync(inScope(theirs, `update decisions set workspace_id = '${ours}' where workspace_id = $1`), {
    code: '42501',
  })
})

const own: Statements = new Map([
  ['own/silent', '-- reads all that it sees\nselect workspace_id from decisions'],
  ['own/one', '-- reads all that it sees\n-- scope: $1\nselect workspace_id, $1::uuid from decisions'],
  ['own/some', '-- reads all that it sees\n-- scope: $1\nselect workspace_id, $1::uuid[] from decisions'],
  ['own/all', '-- reads all that it sees\n-- scope: all\nselect workspace_id from decisions'],
])

const open = (t: ExecutionContext, url: string, maxConnections = 1): Database => {
  const db = openTestPool(url, { statements: own, name: 'own', maxConnections, statementTimeoutMs: 10_000 })
  t.teardown(db.stop)
  return db
}

test.serial(
  'a statement sees the workspaces that its own line names, alone, in a transaction and in a snapshot',
  async (t) => {
    const [front, actor] = [open(t, base.urls.front), open(t, base.urls.actor)]
    const read = async (db: Pick<Database, 'rows'>, name: string, values: unknown[] = []): Promise<string[]> =>
      (await db.rows<{ workspace_id: string }>(name, values)).map((row) => row.workspace_id).sort()
    const both = [ours, theirs].sort()
    // One connection, so each statement runs where the previous one ran.
    for (const [name, values, seen] of [
      ['own/one', [ours], [ours]],
      ['own/silent', [], []],
      ['own/some', [[ours, theirs]], both],
      ['own/all', [], []],
      ['own/one', [theirs], [theirs]],
    ] as const) {
      t.deepEqual(await read(front, name, [...values]), [...seen], name)
      const isTold = name === 'own/all' ? both : [...seen]
      t.deepEqual(await read(actor, name, [...values]), isTold, `${name} of an actor`)
    }
    for (const way of ['tx', 'snapshot'] as const) {
      const seen = await front[way](async (tx) => [
        await read(tx, 'own/one', [ours]),
        await read(tx, 'own/one', [theirs]),
        await read(tx, 'own/silent'),
      ])
      t.deepEqual(seen, [[ours], [theirs], []], way)
      t.deepEqual(await read(front, 'own/silent'), [], `after ${way}`)
    }
    await t.throwsAsync(read(front, 'own/one', ['*']), { message: /must hold ids of workspaces/ })
    await t.throwsAsync(read(front, 'own/one', [undefined]), { message: /must hold ids of workspaces/ })
    await t.throwsAsync(read(front, 'own/some', [[ours, `${theirs},*`]]), { message: /must hold ids of workspaces/ })
    // A failed transaction leaves a working connection without a scope.
    await t.throwsAsync(front.rows('own/some', [['00000000-0000-0000-0000-00000000000x']]))
    t.deepEqual(await read(front, 'own/silent'), [])
  },
)

test.serial('functions that run as the owner check their arguments', async (t) => {
  const client = await connect(t, base.urls.actor)
  for (const call of [
    `drop_old_chunks('events', now())`,
    `drop_old_chunks('users', now() - interval '9 days')`,
    `drop_old_chunks(null, now() - interval '9 days')`,
    `drop_old_chunks('events', null)`,
    `purge_workspace(null, 1)`,
    `purge_workspace('${ours}', 0)`,
    // The workspace is not deleted.
    `purge_workspace('${ours}', 1)`,
  ])
    await t.throwsAsync(client.query(`select ${call}`), { code: '22023' }, call)
  const paths = await base.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc p
      where pronamespace = 'public'::regnamespace and not exists (select from unnest(proconfig) as one where one = 'search_path=public, pg_temp')
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  )
  t.deepEqual(paths, [], 'functions without a search path of their own')
})

test.serial(
  'a login with privileges from before calls what it called once the grants were applied beside it',
  async (t) => {
    const client = await connect(t, as(legacy))
    await t.throwsAsync(client.query('select list_chunked_tables()'), { code: '42501' })
    t.is((await migrate(base.url)).grantFault, null)
    await client.query('select list_chunked_tables()')
    await client.query(`select find_key('\\x00')`)
  },
)
