// sql/grants.sql gives each role exactly the privileges that its statements need.
import test from 'ava'
import pg from 'pg'
import { makeDatabase, openTestPool, type TestDatabase } from '../_kit/db.ts'
import { listFiles, listOwnImports, read } from '../shape/_source.ts'
import { readNeeds } from './_needs.ts'
import { statements } from './_statements.ts'

type Role = 'front' | 'actor'

const roles: readonly Role[] = ['front', 'actor']
// Statements in files that a role imports but does not run.
const uncalled: Readonly<Record<Role, ReadonlySet<string>>> = {
  front: new Set([
    // A front reads the owners, and claims nothing.
    'actors/claim-partitions',
    'actors/release-partitions',
    // A front replays for a request, and stores nothing of it.
    'decisions/keep-ladder',
    'decisions/keep-unread-evidence',
  ]),
  actor: new Set(),
}
// Access by COPY, which has no statement file.
const copied: Readonly<Record<Role, readonly string[]>> = {
  front: ['events insert', 'payload_blocks insert', 'tool_results insert', 'rollups select', 'rollup_deltas select'],
  actor: ['rollups select', 'rollup_deltas select'],
}
const entries: Readonly<Record<Role, readonly string[]>> = {
  front: ['src/roles/front.ts'],
  actor: ['src/roles/actor.ts', 'src/roles/rebuild.ts'],
}
// Statements that the wiring of every role runs.
const common = ['health/read-schema-version', 'store/read-chunking', 'store/read-user']

let database: TestDatabase
let client: pg.Client

test.before(async () => {
  database = await makeDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
test.after.always(async () => {
  await client.end()
  await database.stop()
})

/** Returns the names of the statements in all files that the role's entry imports. */
function listCalled(role: Role): Set<string> {
  const files = new Map(
    listFiles(['src']).map(({ path, text }) => [
      path,
      { path, text: text.replaceAll(/^(?:import|export) type \{[^}]*\} from .*$/gm, '') },
    ]),
  )
  const seen = new Set<string>()
  const waiting = [...entries[role]]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = files.get(path)
    if (file === undefined || seen.has(path)) continue
    seen.add(path)
    waiting.push(...listOwnImports(file))
  }
  const text = [...seen].map((path) => files.get(path)?.text ?? '').join('\n')
  const called = statements.filter(({ name }) => text.includes(`'${name}'`)).map(({ name }) => name)
  return new Set([...called, ...common].filter((name) => !uncalled[role].has(name)))
}

const textOf = new Map(statements.map(({ name, text }) => [name, text]))

async function readAllNeeds(role: Role): Promise<Map<string, string[]>> {
  const needs = new Map<string, string[]>(copied[role].map((need) => [need, ['COPY']]))
  for (const name of listCalled(role)) {
    const text = textOf.get(name)
    if (text === undefined) throw new Error(`there is no statement ${name}`)
    for (const { table, privilege } of await readNeeds(client, `${role} ${name}`, text)) {
      // Views of the catalogs are readable by all users.
      if (table.startsWith('pg_')) continue
      const need = `${table} ${privilege}`
      needs.set(need, [...(needs.get(need) ?? []), name])
    }
  }
  return needs
}

const readGiven = async (role: Role): Promise<string[]> =>
  (
    await database.query<{ given: string }>(
      `select c.relname || ' ' || lower(a.privilege_type) as given
         from pg_class c cross join aclexplode(c.relacl) a
        where c.relnamespace = 'public'::regnamespace and a.grantee = $1::regrole
        union
       select c.relname || ' ' || lower(a.privilege_type)
         from pg_class c join pg_attribute col on col.attrelid = c.oid cross join aclexplode(col.attacl) a
        where c.relnamespace = 'public'::regnamespace and a.grantee = $1::regrole`,
      [`tracewright_${role}`],
    )
  ).map(({ given }) => given)

for (const role of roles)
  test.serial(`the ${role} has every right on tables that its statements need, and no other`, async (t) => {
    const needs = await readAllNeeds(role)
    const given = new Set(await readGiven(role))
    t.true(needs.size > 50)
    t.deepEqual(
      [...needs].filter(([need]) => !given.has(need)).map(([need, names]) => `${need}: ${names.join(', ')}`),
      [],
      'privileges that sql/grants.sql does not give',
    )
    t.deepEqual(
      [...given].filter((one) => !needs.has(one)),
      [],
      'privileges that no statement needs',
    )
  })

test.serial('every function that a statement of the role calls may be called by it', async (t) => {
  for (const role of roles) {
    await client.query(`set role tracewright_${role}`)
    const faults: string[] = []
    for (const name of listCalled(role)) {
      const fault = await client
        .query(`explain (generic_plan) ${textOf.get(name) ?? ''}`)
        .catch((error: Error) => error.message)
      if (typeof fault === 'string') faults.push(`${name}: ${fault}`)
    }
    t.deepEqual(faults, [])
    // The control: the same query finds a missing right.
    await t.throwsAsync(client.query('explain (generic_plan) select purge_workspace_rows($1, $2)'), { code: '42501' })
    await client.query('reset role')
  }
})

test.serial('a front writes no time of the audit log, and moves no workspace to another org or plan', async (t) => {
  const refused = [
    "insert into audit_log (id, action, at) values (gen_random_uuid(), 'key.mint', now() - interval '400 days')",
    'update workspaces set org_id = gen_random_uuid()',
    "update workspaces set plan = 'free'",
    'update workspaces set purged_at = now()',
  ]
  const allowed = [
    "insert into audit_log (id, action) values (gen_random_uuid(), 'key.mint')",
    "update workspaces set name = 'another'",
    'select from workspaces for no key update',
  ]
  await client.query('begin; set local role tracewright_front')
  for (const text of allowed) await t.notThrowsAsync(client.query(text), text)
  for (const text of refused) {
    await client.query('savepoint before')
    await t.throwsAsync(client.query(text), { code: '42501' }, text)
    await client.query('rollback to before')
  }
  await client.query('rollback')
})

const grants = read('sql/grants.sql')
const decided = new Set([...grants.matchAll(/^ +\('([^']+)', .*\),?$/gm)].map(([, name]) => name as string))

const listUndecided = async (): Promise<string[]> =>
  (
    await database.query<{ name: string }>(
      `select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
        union all
       select p.oid::regprocedure::text from pg_proc p
        where p.pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
    )
  )
    .map(({ name }) => name.replace('timestamp with time zone', 'timestamptz'))
    .filter((name) => !decided.has(name))

test.serial('every table and function has a line in sql/grants.sql, and every line is about one', async (t) => {
  t.deepEqual(await listUndecided(), [])
  await database.query('create table undecided (id uuid)')
  await database.query('create function undecided() returns integer language sql as $$ select 1 $$')
  t.deepEqual(await listUndecided(), ['undecided', 'undecided()'])
  await database.query('drop table undecided')
  await database.query('drop function undecided()')
  const known = await database.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is null and to_regprocedure(name) is null',
    [[...decided].filter((name) => !/\(.+\)/.test(name))],
  )
  t.deepEqual(known, [])
})

test.serial(
  'a statement on a table with row security says which workspaces it is for; all of them only outside fronts',
  async (t) => {
    const scoped = await database.query<{ name: string }>(
      `select relname as name from pg_class where relrowsecurity and relforcerowsecurity`,
    )
    t.true(scoped.length > 10)
    const tables = new Set(scoped.map(({ name }) => name))
    const faults: string[] = []
    for (const { name, text } of statements) {
      const isScoped = (await readNeeds(client, `scope ${name}`, text)).some(({ table }) => tables.has(table))
      const hasScope = /^-- scope: (?:\$\d+|all)$/m.test(text)
      if (isScoped !== hasScope) faults.push(name)
    }
    t.deepEqual(faults, [])
    const ofFronts = listCalled('front')
    t.deepEqual(
      statements
        .filter(({ name, text }) => text.includes('\n-- scope: all\n') && ofFronts.has(name))
        .map(({ name }) => name),
      [],
    )
  },
)

test.serial('neither role owns objects, or may create, truncate or use sequences', async (t) => {
  t.deepEqual(
    await database.query(
      `select r.rolname, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolcanlogin, has_schema_privilege(r.oid, 'public', 'create') as creates,
          (select count(*)::int from pg_shdepend d where d.refobjid = r.oid and d.deptype = 'o') as owned,
          (select count(*)::int from pg_sequences s where has_sequence_privilege(r.oid, format('%I.%I', s.schemaname, s.sequencename), 'usage')) as sequences
        from pg_roles r where rolname in ('tracewright_front', 'tracewright_actor') order by 1`,
    ),
    ['tracewright_actor', 'tracewright_front'].map((rolname) => ({
      rolname,
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolbypassrls: false,
      rolcanlogin: false,
      creates: false,
      owned: 0,
      sequences: 0,
    })),
  )
})

test.serial('applied again, the grants change nothing, and other privileges are revoked', async (t) => {
  const read = async () =>
    await database.query(
      `select 'r' as kind, relname as name, xmin::text, relacl::text as acl from pg_class where relnamespace = 'public'::regnamespace
        union all select 'c', attrelid::regclass || '.' || attname, a.xmin::text, attacl::text
          from pg_attribute a join pg_class c on c.oid = attrelid where relnamespace = 'public'::regnamespace and attacl is not null
        union all select 'f', oid::regprocedure::text, xmin::text, proacl::text from pg_proc where pronamespace = 'public'::regnamespace
        order by 1, 2`,
    )
  const before = await read()
  await client.query(grants)
  t.deepEqual(await read(), before)
  await client.query(
    'grant select on users to tracewright_actor; grant select on users to public; grant insert on audit_log to tracewright_front; grant update (plan) on workspaces to tracewright_front; grant execute on function find_key to public',
  )
  await client.query(grants)
  const bare = (rows: readonly Record<string, unknown>[]) => rows.map(({ kind, name, acl }) => ({ kind, name, acl }))
  t.deepEqual(bare(await read()), bare(before))
})

test.serial(
  'fronts and actors make no temporary tables, no large objects, and no defaults that reach the service',
  async (t) => {
    const makes = ['create temp table own (id integer)', 'select lo_create(0)', `select lo_from_bytea(0, 'x')`]
    const front = new pg.Client({ connectionString: database.urls.front })
    await front.connect()
    t.teardown(async () => await front.end())
    // Control: with the privileges of a new database and its functions, where every user has them.
    await client.query(`grant temporary on database ${client.database} to public`)
    await client.query('grant execute on function lo_create(oid), lo_from_bytea(oid, bytea) to public')
    for (const make of makes) await t.notThrowsAsync(front.query(`begin; ${make}; rollback`), make)
    await client.query(grants)
    for (const make of makes) await t.throwsAsync(front.query(make), { code: '42501' }, make)
    await front.query(`alter role current_user in database ${client.database} set search_path = nowhere`)
    await front.query(`alter role current_user in database ${client.database} set default_transaction_read_only = on`)
    const next = new pg.Client({ connectionString: database.urls.front })
    await next.connect()
    await t.throwsAsync(next.query('select from cluster_meta'), { code: '42P01' })
    await next.end()
    const service = openTestPool(database.urls.front, {
      statements: new Map([['write', 'delete from throttles where false']]),
      name: 'defaults',
      maxConnections: 1,
    })
    t.is(await service.run('write'), 0)
    await service.stop()
  },
)
