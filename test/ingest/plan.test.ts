import test from 'ava'
import { markStored } from '../../src/ingest/commit/find-stored.ts'
import { openWork, wholeBatch } from '../../src/ingest/commit/piece.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import type { Event } from '../../src/otlp/event.ts'
import { openDatabase, type Tx } from '../../src/store/database.ts'
import { loadStatements } from '../../src/store/statements.ts'
import { insertWorkspace, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

const days = 30
const traceId = 'ab'.repeat(16)
const dayMs = 86_400_000

/** Of one large trace, all within some seconds of that day. */
const makeDay = (day: number, count: number): Event[] =>
  Array.from({ length: count }, (_, at) =>
    makeEvent({
      traceId,
      startTimeUnixNano: BigInt(Date.parse('2026-03-01T12:00:00Z') + day * dayMs + at) * 1_000_000n,
    }),
  )

type Node = {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Index Cond'?: string
  'Actual Loops': number
  Plans?: Node[]
}

const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)]

/** TimescaleDB's own nodes name the table and leave reading to those below them. */
const isScan = (node: Node): boolean => node['Relation Name'] !== undefined && node['Node Type'] !== 'Custom Scan'

/** Of a chunk's index, the name that the hypertable gives it. */
const withoutChunk = (index: string): string => index.replace(/^(_hyper_\d+_\d+_chunk|\d+(_\d+)?)_/, '')

test('looking for what is stored reads the primary key once a span, in the chunks of that time alone', async (t) => {
  const workspace = await insertWorkspace(base.query)
  for (let day = 0; day < days; day++) await storeGroup(base.db, [makeBatch(workspace, makeDay(day, 60))])
  await base.query('analyze')
  let values: readonly unknown[] = []
  const tx = {
    row: async (_statement: string, given: readonly unknown[]) => {
      values = given
      return null
    },
  } as unknown as Tx
  await markStored(tx, [openWork(wholeBatch(makeBatch(workspace, makeDay(7, 200))))], () => true)
  // With the settings of the service's own sessions.
  const db = openDatabase({
    url: base.url,
    statements: loadStatements(),
    name: 'ingest',
    maxConnections: 1,
    statementTimeoutMs: 30_000,
    acquireTimeoutMs: 10_000,
    keyLookups: true,
    onIdleError: () => undefined,
  })
  t.teardown(db.stop)
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    const nodes = await db.tx(async ({ client }) => {
      await client.query(`set local plan_cache_mode = ${mode}`)
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>({
        name: mode,
        text: `explain (analyze, format json) ${loadStatements().get('ingest/find-stored')}`,
        values: [...values],
      })
      return rows.flatMap((row) => flatten(row['QUERY PLAN'][0].Plan))
    })
    const scans = nodes.filter((node) => isScan(node) && node['Actual Loops'] > 0)
    t.deepEqual(
      scans.map((node) => [withoutChunk(node['Index Name'] ?? node['Node Type']), node['Actual Loops']]),
      [['events_pkey', 200]],
      mode,
    )
    t.regex(scans[0]?.['Index Cond'] ?? '', /workspace_id = .*ROW\(/)
    t.false(nodes.some((node) => node['Node Type'] === 'Seq Scan'))
  }
})
