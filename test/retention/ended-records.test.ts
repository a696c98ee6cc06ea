// What is left of revoked keys, deleted workspaces and deleted orgs is removed with the entries of the audit log that name them.
import { randomBytes, randomUUID } from 'node:crypto'
import test from 'ava'
import { openRetention } from '../../src/retention/open-retention.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(async () => await base.stop())

/** Inserts an org, a workspace or a key, which ended as many days ago; null: it did not end. */
async function insertOrg(deletedDays: number | null): Promise<string> {
  const id = randomUUID()
  await base.query("insert into orgs (id, name, deleted_at) values ($1, '', now() - make_interval(days => $2))", [
    id,
    deletedDays,
  ])
  return id
}
async function insertWorkspace(orgId: string, deletedDays: number | null, purgedDays = deletedDays): Promise<string> {
  const id = randomUUID()
  await base.query(
    `insert into workspaces (id, org_id, name, plan, redaction_secret, deleted_at, purged_at)
     values ($1, $2, '', 'free', '', now() - make_interval(days => $3), now() - make_interval(days => $4))`,
    [id, orgId, deletedDays, purgedDays],
  )
  return id
}
async function insertKey(workspaceId: string, revokedDays: number | null): Promise<string> {
  const id = randomUUID()
  await base.query(
    `insert into api_keys (id, workspace_id, name, key_prefix, digest, created_by, created_at, revoked_at)
     values ($1, $2, 'key', 'tw_sk_', $3, $4, now() - interval '900 days', now() - make_interval(days => $5))`,
    [id, workspaceId, randomBytes(32), randomUUID(), revokedDays],
  )
  return id
}
const listIds = async (table: string): Promise<string[]> =>
  (await base.query<{ id: string }>(`select id from ${table} order by id`)).map(({ id }) => id)

test('keys, workspaces and orgs that ended are removed after 400 days, and no others', async (t) => {
  const [live, recent, mixed, old] = [
    await insertOrg(null),
    await insertOrg(399),
    await insertOrg(401),
    await insertOrg(401),
  ]
  const home = await insertWorkspace(live, null)
  const kept = [
    home,
    await insertWorkspace(live, 399),
    // Its data is not removed yet.
    await insertWorkspace(live, 500, null),
    await insertWorkspace(mixed, 500, 399),
  ]
  await insertWorkspace(live, 401)
  await insertWorkspace(old, 401)
  const keys = [await insertKey(home, null), await insertKey(home, 399)]
  // More than one batch.
  for (let at = 0; at < 5; at += 1) await insertKey(home, 401 + at)

  const errors: unknown[] = []
  const retention = openRetention({
    db: base.actor,
    keepDaysOf: () => null,
    onRemoved: () => undefined,
    onError: (error) => errors.push(error),
    batchRows: 2,
  })
  await retention.pass()
  await retention.stop()
  t.deepEqual(errors, [])
  t.deepEqual(await listIds('api_keys'), keys.sort())
  t.deepEqual(await listIds('workspaces'), kept.sort())
  t.deepEqual(await listIds('orgs'), [live, recent, mixed].sort())
})
