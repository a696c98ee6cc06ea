import test from 'ava'
import { openEpochStore } from '../../src/actors/owner/epoch-store.ts'
import { Fenced } from '../../src/actors/owner/fenced.ts'
import { partitionOf } from '../../src/actors/partition.ts'
import { fenceDatabase } from '../../src/roles/fenced-database.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { makeWorkspace } from '../_kit/workspace.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

test('writes of an owner commit while it owns the partition, and not after another claim, however long ago they began', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  const pid = partitionOf(workspaceId)
  const epochs = await openEpochStore(base.db)
  const claim = async (boot: string, epoch: number) =>
    await epochs.claim('actor', boot, [{ pid, epoch, highest: epoch }])
  t.deepEqual(await claim('aa', 0), [[pid, 1]])

  const db = fenceDatabase(base.db, () => ({ pid, epoch: 1, boot: 'aa' }), workspaceId)
  const bump = async (meanwhile: () => Promise<unknown> = () => Promise.resolve()): Promise<number> =>
    await db.tx(async (tx) => {
      const rows = await tx.run('decisions/bump-rules', [workspaceId])
      await meanwhile()
      return rows
    })
  const version = async (): Promise<number> => {
    const [row] = await base.query<{ v: number }>('select rules_version::int as v from workspaces where id = $1', [
      workspaceId,
    ])
    return row?.v ?? -1
  }
  const before = await version()
  t.is(await bump(), 1)
  t.is(await version(), before + 1)
  await t.throwsAsync(
    bump(async () => t.deepEqual(await claim('bb', 1), [[pid, 2]])),
    { instanceOf: Fenced },
  )
  const refused = await t.throwsAsync<Fenced>(bump(), { instanceOf: Fenced })
  t.deepEqual(refused?.fence, { pid, epoch: 1, boot: 'aa' })
  t.is(await version(), before + 1)
})

test('if the process may not act at the moment, the work is not started, and no ownership is reported as lost', async (t) => {
  const workspaceId = await makeWorkspace(base.query)
  const db = fenceDatabase(base.db, () => null, workspaceId)
  const refused = await t.throwsAsync<Fenced>(
    db.tx(() => Promise.resolve(t.fail())),
    { instanceOf: Fenced },
  )
  t.is(refused?.fence, null)
})
