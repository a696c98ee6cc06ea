// A call without a price whose token counts were dropped as invalid: everything that counts unpriced calls reads the flag.
import test from 'ava'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { readRollups } from '../../src/rollups/read.ts'
import { rebuildWorkspace } from '../../src/rollups/rebuild.ts'
import { readScopes } from '../../src/rollups/scopes/read-scopes.ts'
import { counterAt } from '../../src/sketches/counters.ts'
import { fillHead, makeHead } from '../../src/sketches/total-codec.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { foldAllScopes, readStoredScopes } from './_scope-truth.ts'
import { finishAll, limits, readStored } from './_truth.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(async () => await base.stop())

const startMs = Date.parse('2026-04-01T10:00:30Z')

test('ingest, a rebuild and a window within a minute count it alike', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const call = makeEvent({
    kind: 'llm',
    model: 'house-model',
    scopeName: 'client',
    flags: new Set(['usage_invalid', 'unpriced']),
    startTimeUnixNano: BigInt(startMs) * 1_000_000n,
  })
  await storeGroup(base.db, [makeBatch(workspace, [call])])
  const finish = async (): Promise<unknown> => {
    await finishAll(base.db, workspace)
    await foldAllScopes(base, workspace)
    return [await readStored(base, workspace), await readStoredScopes(base, workspace)]
  }
  const stored = await finish()
  const scopes = Object.values(await readStoredScopes(base, workspace))
  t.deepEqual(
    scopes.map((row) => row.unpriced),
    [1, 1, 1],
  )

  const around = { from: new Date(startMs - 1_000), to: new Date(startMs + 1_000) }
  let unpriced = 0
  await readRollups(base.db, workspace, around, { cells: true, cutsMs: [] }, (part) => {
    const head = makeHead()
    if (!('bucket' in part)) fillHead(head, part.total)
    const { counters } = 'bucket' in part ? part.bucket.total : head
    unpriced += counters[counterAt.unpricedCalls] ?? 0
  })
  t.is(unpriced, 1)
  const window = { fromUs: (startMs - 1_000) * 1_000, toUs: (startMs + 1_000) * 1_000 }
  const uses = await readScopes(base.db, workspace, window, 10)
  t.deepEqual(
    uses.map((use) => use.unpriced),
    [1],
  )

  await rebuildWorkspace(base.db, workspace, { limits, signal: new AbortController().signal })
  t.deepEqual(await finish(), stored)
})
