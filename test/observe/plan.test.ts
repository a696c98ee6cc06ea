import { randomUUID } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { loadStatements } from '../../src/store/statements.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { agentIdOf, hexId, storeEvents } from '../_kit/events.ts'
import { makeRandom } from '../_kit/random.ts'
import { makeEvents } from './_data.ts'

const workspace = randomUUID()
const from = '2026-03-01T00:00:00Z'
const to = '2026-03-02T00:00:00Z'
const middle = '2026-03-01T12:00:00.000001Z'
const traceId = Buffer.from(hexId(7, 32), 'hex')
const spanId = Buffer.from(hexId(7, 16), 'hex')
const noFilters = Array.from({ length: 8 }, () => null)
const agentId = agentIdOf(workspace, 'coder')
const statements = loadStatements()

let db: TestDatabase
let client: pg.Client
let snapshot: string

test.before(async () => {
  db = await makeDatabase()
  client = new pg.Client({ connectionString: db.url })
  await client.connect()
  // Few large chunks, where there are any: of a small one the planner reads whatever it likes.
  await db.query('select set_chunk_hours(744)')
  const random = makeRandom(1)
  for (const id of [workspace, randomUUID(), randomUUID()]) {
    const seeds = makeEvents(random, 3_000, Date.parse('2026-02-20T00:00:00Z'), 20 * 86_400_000)
    await storeEvents(
      db.query,
      id,
      seeds.sort((a, b) => (a.start < b.start ? -1 : 1)),
    )
  }
  snapshot = (await db.query<{ s: string }>('select pg_current_snapshot()::text as s'))[0]?.s ?? ''
  await storeEvents(db.query, workspace, [
    { start: '2026-02-28T00:00:00Z', trace: hexId(7, 32), span: hexId(9_999, 16) },
  ])
  await db.query('analyze')
  await client.query('set enable_seqscan = off')
  // A table this small is sorted as fast as it is read in order.
  await client.query('set enable_bitmapscan = off')
  await client.query('set plan_cache_mode = force_custom_plan')
})
test.after.always(async () => {
  await client.end()
  await db.stop()
})

type Node = { 'Node Type': string; 'Index Name'?: string; 'Index Cond'?: string; Plans?: Node[] }

/** Of a chunk's index, the name that the hypertable gives it. */
const withoutChunk = (index: string): string => index.replace(/^(_hyper_\d+_\d+_chunk|\d+_\d+)_/, '')

async function explain(name: string, values: unknown[]): Promise<Node[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
    `explain (format json) ${statements.get(name)}`,
    values,
  )
  const flatten = (node: Node): Node[] => {
    const index = node['Index Name']
    const own = index === undefined ? node : { ...node, 'Index Name': withoutChunk(index) }
    return [own, ...(node.Plans ?? []).flatMap(flatten)]
  }
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  return plan === undefined ? [] : flatten(plan)
}

/** The indexes that the header of the statement promises. */
function readPromise(name: string): string[] {
  const line = statements
    .get(name)
    ?.split('\n')
    .find((text) => text.startsWith('-- index: '))
  return line?.slice('-- index: '.length).split(', ') ?? []
}

async function keepsPromise(
  t: ExecutionContext,
  name: string,
  values: unknown[],
  without: string[] = [],
): Promise<Node[]> {
  const nodes = await explain(name, values)
  const used = new Set(nodes.map((node) => node['Index Name']))
  const promised = readPromise(name).filter((index) => !without.includes(index))
  t.true(promised.length > 0, name)
  for (const index of promised) t.true(used.has(index), `${name} does not read ${index} but ${[...used].join(', ')}`)
  t.false(
    nodes.some((node) => node['Node Type'] === 'Seq Scan'),
    `${name} reads a whole table`,
  )
  return nodes
}

test.serial(
  'a page of events is read along the primary key, first and later pages, with and without filters',
  async (t) => {
    const start = [workspace, from, to]
    for (const filters of [
      [null, null, null, null, null, null],
      [agentId, null, 'llm', 'error', 'gpt-4.1-mini', null],
    ]) {
      for (const key of [
        [null, null, null],
        [middle, traceId, spanId],
      ]) {
        const nodes = await keepsPromise(t, 'observe/list-events', [...start, ...filters, ...key, 51])
        t.false(
          nodes.some((node) => node['Node Type'] === 'Sort'),
          'no sort',
        )
        const scan = nodes.find((node) => node['Index Name'] === 'events_pkey')
        t.regex(scan?.['Index Cond'] ?? '', /start_time >= .*start_time </)
        if (key[0] !== null) t.regex(scan?.['Index Cond'] ?? '', /ROW\(/)
      }
    }
  },
)

test.serial(
  'a page of traces is read along the index of their starts, and what moved since the first page along that of their moves',
  async (t) => {
    const start = [workspace, from, to, ...noFilters]
    const first = await keepsPromise(t, 'observe/list-traces', [...start, null, null, null, 51], ['traces_by_move'])
    t.false(
      first.some((node) => node['Index Name'] === 'traces_by_move'),
      'a first page looks for no moves',
    )
    const later = await keepsPromise(t, 'observe/list-traces', [...start, snapshot, middle, traceId, 51])
    const scan = later.find((node) => node['Index Name'] === 'traces_by_start')
    t.regex(scan?.['Index Cond'] ?? '', /ROW\(/)
  },
)

test.serial('every other read keeps to the indexes that its header names', async (t) => {
  const tailEnd = (await db.query<{ s: string }>('select pg_current_snapshot()::text as s'))[0]?.s ?? ''
  const xid = (
    await db.query<{ xid: string }>('select max(xid)::text as xid from commits where workspace_id = $1', [workspace])
  )[0]?.xid
  const noEventFilters = noFilters.slice(0, 6)
  const reads: Record<string, unknown[]> = {
    'observe/list-spans': [workspace, traceId, middle, spanId, 51],
    'observe/find-event': [workspace, traceId, spanId],
    'observe/find-trace': [workspace, traceId],
    'observe/rank-traces': [workspace, middle, to, ...noFilters, 'cost_usd', '0.5', traceId, 51],
    'observe/list-agents': [workspace, 50, 0],
    'observe/find-agent': [workspace, agentId],
    'observe/summarize': [workspace, middle, to, null],
    'observe/chart': [workspace, middle, to, null, '3600 seconds', 'UTC', null, null, 'agent', 20],
    'observe/break-down': [workspace, middle, to, null, 'tool', 20, 'cost_usd'],
    'observe/list-commits': [workspace, snapshot, tailEnd, null, 201],
    'observe/tail-events': [workspace, xid, xid, snapshot, tailEnd, null, null, null, ...noEventFilters, 201],
    'observe/read-snapshot': [workspace],
    'usage/find-month': [workspace, '2026-03-01'],
    'usage/list-days': [workspace, '2026-03-01', '2026-04-01'],
    'usage/list-rejections': [workspace, '2026-03-01'],
    'decisions/list': [workspace, null, 'active', null, null, 50, 0],
    'findings/list': [workspace, null, null, 'open', null, null, middle, randomUUID(), 51],
  }
  for (const [name, values] of Object.entries(reads)) await keepsPromise(t, name, values)
})

test.serial('transactions wait to be told in the order of their numbers, not of their digits', async (t) => {
  const other = randomUUID()
  for (const xid of [100, 99, 1_000, 150]) {
    await db.query(
      'insert into commits (workspace_id, xid, events, first_start_time, last_start_time) values ($1, $2, 1, $3, $3)',
      [other, String(xid), from],
    )
  }
  const rows = await db.db.rows<{ xid: string }>('observe/list-commits', [other, '90:90:', '90:2000:150', null, 10])
  t.deepEqual(
    rows.map(({ xid }) => xid),
    ['99', '100', '1000'],
  )
})
