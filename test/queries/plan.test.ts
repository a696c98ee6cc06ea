// Reads use the indexes that their headers name when they are planned for their values, as the service does.
import { randomUUID } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import pg from 'pg'
import { around } from '../_kit/around.ts'
import { agentIdOf, hexId } from '../_kit/events.ts'
import {
  countPages,
  explainFor,
  listUnread,
  listWholeReads,
  type PlanNode,
  readPromise,
  runStatement,
} from '../_kit/plans.ts'
import { crowdedEvents, crowdedWorkspace, planWorkspace as workspace } from './_plan-data.ts'
import { type FilledDatabase, openFilled } from './_plan-filled.ts'

const from = '2026-03-01T00:00:00Z'
const to = '2026-03-02T00:00:00Z'
const middle = '2026-03-01T12:00:00.000001Z'
const traceId = Buffer.from(hexId(7, 32), 'hex')
const spanId = Buffer.from(hexId(7, 16), 'hex')
const noBytes = Buffer.alloc(0)
const noFilters = Array.from({ length: 8 }, () => null)
const noEventFilters = noFilters.slice(0, 6)
const agentId = agentIdOf(workspace, 'coder')

let db: FilledDatabase
let client: pg.Client

const test = around(async () => {
  await client.query('reset all')
})
test.before(async () => {
  db = await openFilled()
  client = new pg.Client({ connectionString: db.url })
  await client.connect()
})
test.after.always(async () => {
  await client.end()
  await db.stop()
})

async function keepsPromise(
  t: ExecutionContext,
  name: string,
  values: readonly unknown[],
  without: readonly string[] = [],
): Promise<PlanNode[]> {
  const nodes = await explainFor(client, name, values)
  t.true(readPromise(name).length > 0, name)
  t.deepEqual(
    listUnread(name, nodes).filter((index) => !without.includes(index)),
    [],
    `${name} leaves an index unread`,
  )
  t.deepEqual(listWholeReads(nodes), [], `${name} reads a whole table`)
  return nodes
}

const isSorted = (nodes: readonly PlanNode[]): boolean => nodes.some((node) => node['Node Type'].includes('Sort'))

test.serial('a page of events is read along the primary key from its place on, whatever the filters', async (t) => {
  for (const filters of [noEventFilters, [agentId, null, 'llm', 'error', 'gpt-4.1-mini', 'search']]) {
    const place = [middle, traceId, spanId]
    const nodes = await keepsPromise(t, 'queries/list-events', [workspace, from, ...place, ...filters, 2_000, 51])
    t.false(isSorted(nodes), 'no sort')
    const scans = nodes.filter((node) => node['Index Name'] === 'events_pkey')
    t.true(scans.length > 1, 'the rows, and the end of the look')
    for (const scan of scans) t.regex(scan['Index Cond'] ?? '', /start_time >= .*start_time <= .*ROW\(/)
  }
})

test.serial('the events of one trace are read along the index of traces or a narrow window', async (t) => {
  const filters = [null, traceId, null, null, null, null]
  const values = [workspace, from, middle, noBytes, noBytes, ...filters, 2_000, 51]
  t.deepEqual(listWholeReads(await explainFor(client, 'queries/list-events', values)), [])
})

test.serial(
  'a page of traces is read along the index of their starts, and what moved since the first page along that of their moves',
  async (t) => {
    const start = [workspace, from, to, ...noFilters]
    const first = await keepsPromise(
      t,
      'queries/list-traces',
      [...start, null, middle, noBytes, 51, 2_000],
      ['traces_by_move'],
    )
    t.false(
      first.some((node) => node['Index Name'] === 'traces_by_move'),
      'a first page looks for no moves',
    )
    const values = [...start, db.snapshot, middle, traceId, 51, 2_000]
    const later = await keepsPromise(t, 'queries/list-traces', values)
    for (const scan of later.filter((node) => node['Index Name'] === 'traces_by_start')) {
      t.regex(scan['Index Cond'] ?? '', /ROW\(/)
    }
  },
)

test.serial('the traces of a session are read along its index, not among all others of the window', async (t) => {
  const filters = [null, 'session 3', ...noFilters.slice(2)]
  const values = [workspace, '2026-02-20T00:00:00Z', to, ...filters, null, to, noBytes, 51, 2_000]
  const nodes = await explainFor(client, 'queries/list-traces', values)
  t.true(nodes.some((node) => node['Index Name'] === 'traces_by_session'))
})

test.serial('a ranking reads no trace but those of its page', async (t) => {
  await client.query('set enable_seqscan = off')
  for (const agent of [null, agentId]) {
    const filters = [agent, ...noFilters.slice(1)]
    const values = [crowdedWorkspace, '2026-02-20T00:00:00Z', to, ...filters, 'cost_usd', '0.5', traceId, 51]
    const nodes = await keepsPromise(t, 'queries/rank-traces', values)
    const scan = nodes.find((node) => node['Index Name'] === 'traces_by_start')
    t.is(scan?.['Node Type'], 'Index Only Scan')
  }
})

test.serial('a page far down a list is read as fast as the first', async (t) => {
  const window = ['2026-02-20T00:00:00Z', '2026-03-10T00:00:00Z'] as const
  const deep = '2026-02-22T00:00:00Z'
  const pagesAt = async (name: string, values: readonly unknown[]): Promise<number> => {
    const read = await countPages(client, name, values)
    t.true(read.rows === 51, name)
    return read.pages
  }
  const events = async (place: string): Promise<number> =>
    await pagesAt('queries/list-events', [
      crowdedWorkspace,
      window[0],
      place,
      noBytes,
      noBytes,
      ...noEventFilters,
      20_000,
      51,
    ])
  const traces = async (place: string, pinned: string | null): Promise<number> =>
    await pagesAt('queries/list-traces', [
      crowdedWorkspace,
      ...window,
      ...noFilters,
      pinned,
      place,
      noBytes,
      51,
      20_000,
    ])
  const firstEvents = await events(window[1])
  const deepEvents = await events(deep)
  t.true(deepEvents <= firstEvents + 8, `${firstEvents} pages, then ${deepEvents}`)
  const firstTraces = await traces(window[1], null)
  const deepTraces = await traces(deep, db.snapshot)
  t.true(deepTraces <= firstTraces + 8, `${firstTraces} pages, then ${deepTraces}`)
})

test.serial(
  'a page of an export is read along the primary key from its place on, and costs the same wherever it is',
  async (t) => {
    const read = async (place: string): Promise<number> => {
      const values = [crowdedWorkspace, place, '2026-03-10T00:00:00Z', place, noBytes, noBytes, db.snapshot, null, 51]
      const nodes = await keepsPromise(t, 'queries/export-events', values)
      t.false(isSorted(nodes))
      const { rows, pages } = await countPages(client, 'queries/export-events', values)
      t.is(rows, 51)
      return pages
    }
    const first = await read('2026-02-20T00:00:00Z')
    const deep = await read('2026-03-05T00:00:00Z')
    t.true(deep <= first + 8, `${first} pages, then ${deep}`)
  },
)

test.serial('reads of one thing go straight to it', async (t) => {
  const reads: Record<string, readonly unknown[]> = {
    'queries/list-spans': [workspace, traceId, middle, spanId, 51, from, to],
    'queries/find-event': [workspace, traceId, spanId, from, to, null],
    'queries/find-payload': [workspace, randomUUID(), from, to, traceId, spanId],
    'queries/export-blocks': [workspace, [randomUUID(), randomUUID()], from, to, 4_194_304],
    'queries/find-trace': [workspace, traceId],
    'queries/find-trace-reach': [workspace, traceId],
    'queries/look-up-session': [workspace, 'session 3'],
  }
  for (const [name, values] of Object.entries(reads)) await keepsPromise(t, name, values)
})

test.serial(
  'a span is looked for by its id alone along the primary key, from the newest on, and no further than told',
  async (t) => {
    const look = async (span: string, most: number) => {
      const values = [crowdedWorkspace, Buffer.from(span.padStart(16, '0'), 'hex'), most]
      const nodes = await keepsPromise(t, 'queries/look-up-span', values)
      t.false(isSorted(nodes))
      return await countPages(client, 'queries/look-up-span', values)
    }
    const newest = crowdedEvents.toString(16)
    const oldest = '1'
    const first = await look(newest, crowdedEvents)
    t.is(first.rows, 1)
    t.true(first.pages < 20, `${first.pages} pages`)
    t.is((await look(oldest, crowdedEvents)).rows, 1)
    const bounded = await look(oldest, crowdedEvents / 40)
    t.is(bounded.rows, 0)
    t.true(bounded.pages < (await look(oldest, crowdedEvents)).pages / 10)
  },
)

test.serial('no list reads payloads, by its plan and in execution', async (t) => {
  const lists: Record<string, readonly unknown[]> = {
    'queries/list-events': [workspace, from, to, noBytes, noBytes, ...noEventFilters, 2_000, 201],
    'queries/list-traces': [workspace, from, to, ...noFilters, null, to, noBytes, 201, 2_000],
    'queries/rank-traces': [workspace, from, to, ...noFilters, 'cost_usd', null, null, 201],
    'queries/list-spans': [workspace, traceId, null, null, 201, '2026-02-20T00:00:00Z', '2026-03-15T00:00:00Z'],
    'queries/list-agents': [workspace, 200, 0],
  }
  // Only flushed statistics are counted: a backend reports its own reads when it is told to.
  const countReads = async (): Promise<unknown> => {
    await client.query('select pg_stat_force_next_flush()')
    const { rows } = await client.query(
      `select sum(seq_scan + coalesce(idx_scan, 0))::int as scans from pg_stat_user_tables
       where relid in (select oid from pg_class where relname ~ 'payload_blocks$' and relkind = 'r')
         or relname in (select c.chunk_name from pg_temp.payload_chunks c)`,
    )
    return rows[0]
  }
  await client.query('create temp table payload_chunks (chunk_name name)')
  const { rows: extension } = await client.query("select from pg_extension where extname = 'timescaledb'")
  if (extension.length > 0) {
    await client.query(
      `insert into payload_chunks select chunk_name from timescaledb_information.chunks where hypertable_name = 'payload_blocks'`,
    )
  }
  const before = await countReads()
  for (const [name, values] of Object.entries(lists)) {
    const nodes = await explainFor(client, name, values)
    t.false(
      nodes.some((node) => /payload/.test(`${node['Index Name']} ${node['Relation Name']}`)),
      name,
    )
    t.true((await runStatement(client, name, values)) > 0, name)
  }
  t.deepEqual(await countReads(), before)
  // The control: a read changes the counts.
  await runStatement(client, 'queries/find-payload', [workspace, randomUUID(), from, to, traceId, spanId])
  t.notDeepEqual(await countReads(), before)
})

test.serial('every other read keeps to the indexes that its header names', async (t) => {
  // These tables are small here, and are sorted as fast as they are read in order.
  await client.query('set enable_seqscan = off')
  await client.query('set enable_bitmapscan = off')
  const tailEnd = (await db.query<{ s: string }>('select pg_current_snapshot()::text as s'))[0]?.s ?? ''
  const xid = (
    await db.query<{ xid: string }>('select max(xid)::text as xid from commits where workspace_id = $1', [workspace])
  )[0]?.xid
  const tail = [workspace, xid, xid, db.snapshot, tailEnd, null, null, null, ...noEventFilters, 201, from, to]
  const reads: Record<string, readonly unknown[]> = {
    'queries/list-agents': [workspace, 50, 0],
    'queries/find-agent': [workspace, agentId],
    'queries/find-agent-reach': [workspace, agentId],
    'queries/look-up-id': [workspace, agentId],
    'queries/list-commits': [workspace, db.snapshot, tailEnd, null, 201],
    'queries/tail-events': tail,
    'queries/read-snapshot': [workspace],
    'usage/find-month': [workspace, '2026-03-01'],
    'usage/list-days': [workspace, '2026-03-01', '2026-04-01'],
    'usage/list-rejections': [workspace, '2026-03-01'],
    'decisions/list': [workspace, null, 'active', null, null, 50, 0],
    'findings/list': [workspace, null, null, 'open', null, null, middle, randomUUID(), 51],
  }
  for (const [name, values] of Object.entries(reads)) await keepsPromise(t, name, values)
})

test.serial('transactions are ordered by number, not as text', async (t) => {
  const other = randomUUID()
  for (const xid of [100, 99, 1_000, 150]) {
    await db.query(
      'insert into commits (workspace_id, xid, events, first_start_time, last_start_time) values ($1, $2, 1, $3, $3)',
      [other, String(xid), from],
    )
  }
  const rows = await db.db.rows<{ xid: string }>('queries/list-commits', [other, '90:90:', '90:2000:150', null, 10])
  t.deepEqual(
    rows.map(({ xid }) => xid),
    ['99', '100', '1000'],
  )
})
