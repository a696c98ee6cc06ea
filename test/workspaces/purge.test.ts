import test from 'ava'
import { openWorkspacePurge } from '../../src/workspaces/purge.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { openHttp } from '../_kit/http.ts'
import { openPeople, type People, type Person } from '../_kit/people.ts'
import { until } from '../_kit/until.ts'

let database: TestDatabase
let people: People

test.before(async () => {
  database = await makeDatabase()
  people = await openPeople(database.front)
})

test.after.always(async () => {
  await people.stop()
  await database.stop()
})

type Column = {
  name: string
  type: string
  udt: string
  nullable: string
  generated: string
  fallback: string | null
  key: boolean
}

const listTables = async (): Promise<string[]> =>
  (
    await database.query<{ name: string }>(
      `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
       where c.table_schema = 'public' and c.column_name = 'workspace_id' and t.table_type = 'BASE TABLE' order by 1`,
    )
  ).map(({ name }) => name)

const count = async (table: string, workspaceId: string): Promise<number> =>
  Number(
    (
      await database.query<{ n: string }>(`select count(*) as n from ${table} where workspace_id = $1`, [workspaceId])
    )[0]?.n,
  )

/** Tables whose key is the workspace alone. */
const onePerWorkspace = new Set(['optimizer_progress', 'workspace_prices'])

/** Inserts rows of a workspace into any table, by the catalog's description of its columns, without foreign keys and checks. */
async function fill(table: string, workspaceId: string, rows: number): Promise<void> {
  const columns = await database.query<Column>(
    `select column_name as name, data_type as type, udt_name as udt, is_nullable as nullable, is_generated as generated, column_default as fallback,
       exists (select from information_schema.key_column_usage k where k.table_name = c.table_name and k.column_name = c.column_name) as key
     from information_schema.columns c where table_schema = 'public' and table_name = $1`,
    [table],
  )
  const checks = await database.query<{ name: string }>(
    "select conname as name from pg_constraint where conrelid = $1::regclass and contype in ('c', 'f') and convalidated",
    [table],
  )
  for (const { name } of checks) await database.query(`alter table ${table} drop constraint ${name} cascade`)
  const filled = columns.filter(
    ({ generated, nullable, fallback, key }) =>
      generated === 'NEVER' && nullable === 'NO' && (key || fallback === null),
  )
  const values = filled.map((column) => (column.name === 'workspace_id' ? '$1' : makeValue(column)))
  await database.query(
    `insert into ${table} (${filled.map(({ name }) => name).join(', ')}) select ${values.join(', ')} from generate_series(1, ${rows}) as s (n)
     on conflict do nothing`,
    [workspaceId],
  )
}

function makeValue({ type, udt }: Column): string {
  if (type === 'ARRAY') return `'{}'::${udt}`
  if (type === 'uuid') return 'gen_random_uuid()'
  if (type === 'bytea') return "decode(md5(n::text || random()::text), 'hex')"
  if (type === 'text' || type === 'character varying') return "'text ' || n"
  if (type === 'boolean') return 'true'
  if (type === 'date') return "date '2020-01-01' + n"
  if (type.startsWith('timestamp')) return "now() - n * interval '1 minute'"
  if (type === 'jsonb' || type === 'json') return `'{}'::${type}`
  if (['bigint', 'integer', 'smallint', 'double precision', 'real', 'numeric'].includes(type)) return 'n'
  return `n::text::${udt}`
}

async function deleteWorkspace(person: Person): Promise<void> {
  const http = await openHttp(people.routes, people.authenticator)
  const answer = await http.call('DELETE', `/v1/workspaces/${person.workspaceId}`, { token: person.token })
  await http.stop()
  if (answer.status !== 204) throw new Error(`deleting answered ${answer.status}`)
}

const fail = (error: unknown): void => {
  throw error
}
const isPurged = async (workspaceId: string): Promise<boolean> =>
  (
    await database.query<{ done: boolean }>('select purged_at is not null as done from workspaces where id = $1', [
      workspaceId,
    ])
  )[0]?.done === true

test.serial(
  'a new table joins by itself, be it append-only or held by a foreign key of a table that is purged after it',
  async (t) => {
    const ada = await people.add()
    await database.query('create table aa_parents (workspace_id uuid not null, id integer primary key)')
    await database.query(
      'create table zz_children (workspace_id uuid not null, id integer primary key references aa_parents (id))',
    )
    await database.query(
      'create trigger append_only before update or delete on zz_children for each row execute function refuse_change()',
    )
    for (const table of ['aa_parents', 'zz_children']) {
      await database.query(`insert into ${table} select $1, n from generate_series(1, 30) as s (n)`, [ada.workspaceId])
    }
    await t.throwsAsync(async () => await database.query('delete from zz_children'), { message: /append-only/ })
    await deleteWorkspace(ada)
    const purge = openWorkspacePurge({ db: database.actor, onError: fail, batchRows: 7, settleMs: 0 })
    await purge.pass()
    await purge.stop()
    t.is(await count('zz_children', ada.workspaceId), 0)
    t.is(await count('aa_parents', ada.workspaceId), 0)
    t.true(await isPurged(ada.workspaceId))
  },
)

test.serial('a workspace that was not deleted cannot be purged', async (t) => {
  const ada = await people.add()
  await t.throwsAsync(async () => await database.actor.row('workspaces/purge-batch', [ada.workspaceId, 10]))
  t.is(await count('api_keys', ada.workspaceId), 1)
})

test.serial(
  'rows of late writers are taken too: an empty workspace is finished only when they must be done',
  async (t) => {
    const ada = await people.add()
    await deleteWorkspace(ada)
    const early = openWorkspacePurge({ db: database.actor, onError: fail })
    await early.pass()
    await early.stop()
    t.false(await isPurged(ada.workspaceId))
    t.is(await count('api_keys', ada.workspaceId), 0, 'what is there goes at once')
    await fill('agents', ada.workspaceId, 3)
    await database.query("update workspaces set deleted_at = deleted_at - interval '1 hour' where id = $1", [
      ada.workspaceId,
    ])
    const later = openWorkspacePurge({ db: database.actor, onError: fail })
    await later.pass()
    await later.stop()
    t.is(await count('agents', ada.workspaceId), 0)
    t.true(await isPurged(ada.workspaceId))
  },
)

test.serial('several processes purge together, and continue the purge of one that stopped', async (t) => {
  const all = [await people.add(), await people.add(), await people.add()]
  for (const person of all) {
    await fill('agents', person.workspaceId, 200)
    await deleteWorkspace(person)
  }
  await database.actor.row('workspaces/purge-batch', [all[0]?.workspaceId, 50])
  const purges = Array.from({ length: 3 }, () =>
    openWorkspacePurge({ db: database.actor, onError: fail, batchRows: 20, settleMs: 0 }),
  )
  await Promise.all(purges.map(async (purge) => await purge.pass()))
  await Promise.all(purges.map(async (purge) => await purge.stop()))
  for (const { workspaceId } of all) {
    t.is(await count('agents', workspaceId), 0)
  }
  const last = openWorkspacePurge({ db: database.actor, onError: fail, settleMs: 0 })
  await last.pass()
  await last.stop()
  for (const { workspaceId } of all) t.true(await isPurged(workspaceId))
})

test.serial('a wake starts the purge without waiting for the tick', async (t) => {
  const ada = await people.add()
  const purge = openWorkspacePurge({ db: database.actor, onError: fail, tickMs: 3_600_000, settleMs: 0 })
  await deleteWorkspace(ada)
  purge.wake()
  await until(async () => await isPurged(ada.workspaceId))
  await purge.stop()
  t.pass()
})

test.serial('the audit log cannot be changed, and remains after the workspace is deleted', async (t) => {
  const ada = await people.add()
  await deleteWorkspace(ada)
  const purge = openWorkspacePurge({ db: database.actor, onError: fail, settleMs: 0 })
  await purge.pass()
  await purge.stop()
  const lines = await database.query<{ action: string }>(
    'select action from audit_log where audited_workspace_id = $1 order by at, id',
    [ada.workspaceId],
  )
  t.deepEqual(
    lines.map(({ action }) => action),
    ['workspace.create', 'key.mint', 'workspace.delete'],
  )
  await t.throwsAsync(async () => await database.query("update audit_log set action = 'x'"), { message: /append-only/ })
  await t.throwsAsync(async () => await database.query('delete from audit_log'), { message: /append-only/ })
})

// Last, since it drops the constraints of every table.
test.serial(
  'whatever table has a workspace_id holds nothing of a deleted workspace afterwards, and all of its neighbour',
  async (t) => {
    const [ada, bob] = [await people.add(), await people.add()]
    const tables = await listTables()
    t.true(tables.length >= 10)
    for (const table of tables) {
      await fill(table, ada.workspaceId, 25)
      await fill(table, bob.workspaceId, 3)
    }
    const before = new Map<string, number>()
    for (const table of tables) {
      t.true((await count(table, ada.workspaceId)) >= (onePerWorkspace.has(table) ? 1 : 25), table)
      before.set(table, await count(table, bob.workspaceId))
    }
    await deleteWorkspace(ada)
    // Batches smaller than any table's rows, so that it has to continue with the rest.
    const purge = openWorkspacePurge({ db: database.actor, onError: fail, batchRows: 10, settleMs: 0 })
    await purge.pass()
    await purge.stop()
    for (const table of tables) {
      t.is(await count(table, ada.workspaceId), 0, table)
      t.is(await count(table, bob.workspaceId), before.get(table) ?? -1, table)
    }
    const [tombstone = {}] = await database.query(
      'select name, redaction_secret, deleted_at, purged_at from workspaces where id = $1',
      [ada.workspaceId],
    )
    t.is(tombstone['name'], '')
    t.is((tombstone['redaction_secret'] as Buffer).byteLength, 0)
    t.truthy(tombstone['purged_at'])
  },
)
