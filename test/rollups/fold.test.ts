import test from 'ava'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { insertWorkspaceRow, makeBatch, makeEvent, makeLlmEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { settleUnhurried } from '../_kit/settle.ts'
import { countFresh, finishAll, foldAll, readStored } from './_truth.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

const at = (text: string): bigint => BigInt(Date.parse(text)) * 1_000_000n

test('what is stored is folded into its minute, and into its hour and day once they are summed up', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const events = [
    '2026-03-01T10:00:01Z',
    '2026-03-01T10:00:59.999Z',
    '2026-03-01T10:01:00Z',
    '2026-03-01T23:59:59Z',
  ].map((start) => makeLlmEvent(10, 2, { startTimeUnixNano: at(start), sessionId: 's' }))
  await storeGroup(base.db, [makeBatch(workspace, events, { costUsd: 0.25 })])
  t.is(await foldAll(base.db, [workspace]), 1)
  const fresh = await countFresh(base.db, workspace)
  t.deepEqual(Object.keys(await readStored(base, workspace)), [
    '0 2026-03-01T10:00:00.000Z',
    '0 2026-03-01T10:01:00.000Z',
    '0 2026-03-01T23:59:00.000Z',
  ])
  await finishAll(base.db, workspace)
  t.deepEqual(await readStored(base, workspace), fresh)
  // Late events: for every existing tier, and for an hour without a row.
  const late = ['2026-03-01T10:01:30Z', '2026-03-01T12:00:00Z'].map((start) =>
    makeEvent({ startTimeUnixNano: at(start) }),
  )
  await storeGroup(base.db, [makeBatch(workspace, late)])
  await storeGroup(base.db, [makeBatch(workspace, late)])
  await foldAll(base.db, [workspace])
  const { '1 2026-03-01T12:00:00.000Z': added, ...others } = await countFresh(base.db, workspace)
  t.truthy(added)
  t.deepEqual(await readStored(base, workspace), others)
  await finishAll(base.db, workspace)
  t.deepEqual(await readStored(base, workspace), await countFresh(base.db, workspace))
})

test('a span that settling moves to another agent and session moves in the rollups, in minutes, hours and days', async (t) => {
  const workspace = await insertWorkspaceRow(base.query)
  const root = makeEvent({ agentOwn: 'planner', sessionId: 's', startTimeUnixNano: at('2026-03-02T10:00:00Z') })
  const child = makeLlmEvent(10, 2, {
    traceId: root.traceId,
    parentSpanId: root.spanId,
    agentFallback: 'service',
    toolName: 'search',
    inputHash: 'h',
    startTimeUnixNano: at('2026-03-02T10:01:00Z'),
  })
  await storeGroup(base.db, [makeBatch(workspace, [child])])
  await finishAll(base.db, workspace)
  const before = await countFresh(base.db, workspace)
  t.deepEqual(await readStored(base, workspace), before)
  await storeGroup(base.db, [makeBatch(workspace, [root])])
  await settleUnhurried(base.db, 0)
  await finishAll(base.db, workspace)
  const after = await countFresh(base.db, workspace)
  t.notDeepEqual(after['0 2026-03-02T10:01:00.000Z'], before['0 2026-03-02T10:01:00.000Z'])
  t.deepEqual(await readStored(base, workspace), after)
})
