import { randomBytes } from 'node:crypto'
import test from 'ava'
import { readConfig } from '../../src/config.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { runRebuild } from '../../src/roles/rebuild.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase } from '../_kit/db.ts'
import { countFresh, differences, finishAll, readStored } from '../rollups/_truth.ts'
import { keepLines } from './_log.ts'

test('the role rebuilds the rollups of all workspaces, or of one', async (t) => {
  const base = await makeDatabase()
  const workspaces = [await insertWorkspaceRow(base.query), await insertWorkspaceRow(base.query)].sort()
  const [first = ''] = workspaces
  for (const id of workspaces) await storeGroup(base.db, [makeBatch(id, [makeEvent(), makeEvent()])])
  const rebuild = async (known: Record<string, string> = {}): Promise<string[]> => {
    await base.query('delete from rollups')
    const { log, lines } = keepLines()
    const config = readConfig({
      TRACEWRIGHT_ROLES: 'rebuild',
      TRACEWRIGHT_DATABASE_URL: base.url,
      TRACEWRIGHT_SECRET: randomBytes(32).toString('base64url'),
      ...known,
    })
    await runRebuild(config, log)
    return lines
  }
  t.deepEqual(await rebuild(), [
    'info rebuilt the rollups of a workspace',
    'info rebuilt the rollups of a workspace',
    'info rebuilt the rollups',
  ])
  for (const id of workspaces) {
    await finishAll(base.db, id)
    t.deepEqual(differences(await countFresh(base.db, id), await readStored(base, id)), [])
  }
  t.deepEqual(await rebuild({ TRACEWRIGHT_REBUILD_WORKSPACE: first }), ['info rebuilt the rollups'])
  t.deepEqual(await base.query('select distinct workspace_id from rollups'), [{ workspace_id: first }])
  // A window that contains none of them.
  await rebuild({ TRACEWRIGHT_REBUILD_FROM: '2020-01-01T00:00:00Z', TRACEWRIGHT_REBUILD_TO: '2020-01-02T00:00:00Z' })
  t.deepEqual(await base.query('select from rollups'), [])
  await base.stop()
})
