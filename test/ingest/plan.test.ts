import test from 'ava'
import type { Event } from '../../src/event/event.ts'
import { openWork, wholeBatch } from '../../src/ingest/commit/batch-slice.ts'
import { markStored } from '../../src/ingest/commit/find-stored.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { makeSettledCounts } from '../../src/ingest/settle/settled-counts.ts'
import type { Tx } from '../../src/store/database.ts'
import { loadStatements } from '../../src/store/statements.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, openTestPool, type TestDatabase } from '../_kit/db.ts'
import { inSoak } from '../_kit/soak.ts'
import { disableAutovacuum } from '../_kit/statistics.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
  await disableAutovacuum(base)
})
test.after.always(() => base.stop())

// A chunk is a day; the look-up is for one of them.
const days = inSoak(10, 30)
const traceId = 'ab'.repeat(16)
const dayMs = 86_400_000

/** Returns events of one large trace, all within some seconds of that day. */
const makeDay = (day: number, count: number): Event[] =>
  Array.from({ length: count }, (_, at) =>
    makeEvent({
      traceId,
      startTimeUnixNano: BigInt(Date.parse('2026-03-01T12:00:00Z') + day * dayMs + at) * 1_000_000n,
    }),
  )

/** Returns events of traces of 16 spans, from now on. */
const makeTraces = (count: number): Event[] =>
  Array.from({ length: count }, (_, at) =>
    makeEvent({
      traceId: (at >> 4).toString(16).padStart(32, 'c'),
      startTimeUnixNano: BigInt(Date.now() + at) * 1_000_000n,
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

/** TimescaleDB's own nodes name the table and leave reading to the nodes below them. */
const isScan = (node: Node): boolean => node['Relation Name'] !== undefined && node['Node Type'] !== 'Custom Scan'

/** Returns the hypertable's name for the index of a chunk. */
const withoutChunk = (index: string): string => index.replace(/^(_hyper_\d+_\d+_chunk|\d+(_\d+)?)_/, '')

type Scan = { readonly index: string; readonly loops: number; readonly condition: string }

type Call = { readonly name: string; readonly values: readonly unknown[] }

/** Returns the statement that `work` runs, with its values. It gets no rows. */
async function record(work: (tx: Tx) => Promise<unknown>): Promise<Call> {
  let call: Call | null = null
  const tx = {
    row: async (name: string, values: readonly unknown[]) => {
      call = { name, values }
      return null
    },
    rows: async (name: string, values: readonly unknown[]) => {
      call = { name, values }
      return []
    },
  } as unknown as Tx
  await work(tx)
  if (call === null) throw new Error('no statement ran')
  return call
}

/** The look-up of which of these spans are stored. */
const findStored = async (events: readonly Event[], workspace: string): Promise<Call> =>
  await record((tx) => markStored(tx, [openWork(wholeBatch(makeBatch(workspace, [...events])))], () => true))

/** The look-up of these spans after they have moved to another agent. */
const readChanged = async (events: readonly Event[], workspace: string): Promise<Call> =>
  await record(async (tx) => {
    const changes = events.map(({ traceId, spanId, startTimeUnixNano }) => ({
      span: {
        workspace_id: workspace,
        trace_id: traceId,
        span_id: spanId,
        start_time_us: Number(startTimeUnixNano / 1_000n),
        agent_name: 'before',
      },
      now: { agentName: 'after' },
      inferredTools: null,
    }))
    await makeSettledCounts().addChanges(tx, changes as never)
  })

/** Returns the scans of the statement, with the settings of the service's own sessions. */
async function explain({ name, values }: Call, mode: string): Promise<Scan[]> {
  const statements = new Map([
    ['set mode', `set local plan_cache_mode = ${mode}`],
    ['explain', `explain (analyze, format json) ${loadStatements().get(name)}`],
  ])
  const db = openTestPool(base.url, { statements, name: 'ingest', maxConnections: 1, keyLookups: true })
  try {
    const nodes = await db.tx(async (tx) => {
      await tx.run('set mode')
      const rows = await tx.rows<{ 'QUERY PLAN': [{ Plan: Node }] }>('explain', values)
      return rows.flatMap((row) => flatten(row['QUERY PLAN'][0].Plan))
    })
    return nodes
      .filter((node) => isScan(node) && node['Actual Loops'] > 0)
      .map((node) => ({
        index: withoutChunk(node['Index Name'] ?? node['Node Type']),
        loops: node['Actual Loops'],
        condition: node['Index Cond'] ?? '',
      }))
  } finally {
    await db.stop()
  }
}

const modes = ['force_custom_plan', 'force_generic_plan']

// Statistics are updated late: a planner that considers an index by the workspace alone equally good would read all of a workspace for each
// key.
test.serial('without statistics of a table or a workspace, the planner uses the primary key', async (t) => {
  const indexes = new Set<string>()
  // In this order: `truncate` keeps the statistics of `analyze`.
  for (const statistics of ['truncate events', 'analyze events', 'vacuum analyze events']) {
    for (const count of [1, 40, 512]) {
      await base.query(statistics)
      const workspace = await insertWorkspaceRow(base.query)
      await storeGroup(base.db, [makeBatch(workspace, makeTraces(count))])
      for (const mode of modes)
        for (const { index } of await explain(await findStored(makeTraces(10), workspace), mode)) indexes.add(index)
    }
  }
  t.deepEqual([...indexes], ['events_pkey'])
})

test.serial(
  'looking for stored and for changed spans reads the primary key once a span, in the chunks of that time alone',
  async (t) => {
    const workspace = await insertWorkspaceRow(base.query)
    for (let day = 0; day < days; day++) await storeGroup(base.db, [makeBatch(workspace, makeDay(day, 60))])
    await base.query('analyze')
    for (const call of [await findStored(makeDay(7, 200), workspace), await readChanged(makeDay(7, 200), workspace)])
      for (const mode of modes) {
        const scans = await explain(call, mode)
        t.deepEqual(
          scans.map(({ index, loops }) => [index, loops]),
          [['events_pkey', 200]],
          `${call.name}, ${mode}`,
        )
        t.regex(scans[0]?.condition ?? '', /workspace_id = .*ROW\(/)
      }
  },
)
