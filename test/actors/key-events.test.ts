// The events that fronts poll for: every revocation, in the order of the commits.
import test from 'ava'
import pg from 'pg'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { until } from '../_kit/until.ts'
import { makeWorkspace } from '../_kit/workspace.ts'

async function makeKeys(base: TestDatabase, workspaceId: string, names: readonly string[]): Promise<void> {
  for (const name of names)
    await base.query(
      `insert into api_keys (id, workspace_id, name, key_prefix, digest, created_by)
       values (gen_random_uuid(), $1, $2, 'tw', sha256($2::text::bytea), gen_random_uuid())`,
      [workspaceId, name],
    )
}

const revoke = 'update api_keys set revoked_at = now() where name = $1'
const readNames = async (base: TestDatabase): Promise<string[]> => {
  const rows = await base.query<{ name: string }>(
    'select k.name from key_events e join api_keys k on k.digest = e.digest order by e.seq',
  )
  return rows.map(({ name }) => name)
}

test('each revoked key is announced once, however it is revoked, and no other change is', async (t) => {
  const base = await makeDatabase()
  const workspaceId = await makeWorkspace(base.query)
  await makeKeys(base, workspaceId, ['one', 'two', 'three'])
  await base.query('update api_keys set last_used_at = now()')
  t.deepEqual(await readNames(base), [])
  await base.query(revoke, ['one'])
  await base.query(`update api_keys set revoked_at = revoked_at where name = 'one'`)
  await base.query('update api_keys set revoked_at = now() where workspace_id = $1 and revoked_at is null', [
    workspaceId,
  ])
  const told = await readNames(base)
  t.is(told[0], 'one')
  t.deepEqual(told.slice(1).sort(), ['three', 'two'])
  await base.stop()
})

test('a reader of an event number never misses a smaller one: a revocation waits until an earlier one is committed', async (t) => {
  const base = await makeDatabase()
  t.teardown(base.stop)
  await makeKeys(base, await makeWorkspace(base.query), ['first', 'second'])
  const slow = new pg.Client({ connectionString: base.url })
  await slow.connect()
  t.teardown(async () => await slow.end())
  await slow.query('begin')
  await slow.query(revoke, ['first'])
  let isDone = false
  const later = base.query(revoke, ['second']).then(() => {
    isDone = true
  })
  await until(
    async () =>
      (
        await base.query(
          `select from pg_locks l join pg_database d on d.oid = l.database
           where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
        )
      ).length > 0,
  )
  t.false(isDone)
  t.deepEqual(await readNames(base), [])
  await slow.query('commit')
  await later
  t.deepEqual(await readNames(base), ['first', 'second'])
})

test('events that no front can still need are deleted by the next revocation', async (t) => {
  const base = await makeDatabase()
  await makeKeys(base, await makeWorkspace(base.query), ['old', 'new'])
  await base.query(revoke, ['old'])
  await base.query(`update key_events set at = now() - interval '25 hours'`)
  await base.query(revoke, ['new'])
  t.deepEqual(await readNames(base), ['new'])
  await base.stop()
})
