// Spans of one trace that all begin in the same microsecond: each is found by its whole key, not among the others.
import test from 'ava'
import pg from 'pg'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase } from '../_kit/db.ts'
import { countPages } from '../_kit/plans.ts'

const stored = 10_000
const asked = 200
const traceId = 'ab'.repeat(16)
const startMs = Date.parse('2026-03-01T12:00:00Z')
const spanIdOf = (nth: number): string => (nth + 1).toString(16).padStart(16, '0')

test('finding, reading and changing spans that begin at once reads a few pages for each', async (t) => {
  const base = await makeDatabase()
  const client = new pg.Client({ connectionString: base.url })
  await client.connect()
  t.teardown(async () => {
    await client.end()
    await base.stop()
  })
  const workspace = await insertWorkspaceRow(base.query)
  const events = Array.from({ length: stored }, (_, nth) =>
    makeEvent({ traceId, spanId: spanIdOf(nth), startTimeUnixNano: BigInt(startMs) * 1_000_000n }),
  )
  await storeGroup(base.db, [makeBatch(workspace, events)])
  const [agent] = await base.query<{ id: string; name: string }>(
    'select id, name from agents where workspace_id = $1',
    [workspace],
  )
  const ofEach = <Value>(value: Value): Value[] => Array.from({ length: asked }, () => value)
  const spanIds = Array.from({ length: asked }, (_, nth) => spanIdOf(nth * (stored / asked)))
  const keys = [ofEach(workspace), ofEach(startMs * 1_000), ofEach(traceId), spanIds]
  const start = new Date(startMs)
  const binaryKeys = [ofEach(Buffer.from(traceId, 'hex')), spanIds.map((id) => Buffer.from(id, 'hex'))]
  const nothing = ofEach(null)
  const changed = [ofEach(false), ofEach('{told_twice}'), nothing, nothing, nothing]
  const calls = {
    'ingest/find-stored': [ofEach(workspace), ofEach(start), ...binaryKeys, start, start],
    'ingest/read-changed-facts': [...keys, start, start],
    'ingest/settle-events': [...keys, ofEach(agent?.id), ofEach(agent?.name), nothing, nothing, ...changed, [], []],
  }
  await base.query('analyze')
  for (const [name, values] of Object.entries(calls)) {
    const { pages } = await countPages(client, name, values)
    t.true(pages < asked * 30, `${name}: ${pages} pages for ${asked} spans`)
  }
})
