// Scans use the indexes that their statements name, both with custom and with generic plans.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { around } from '../_kit/around.ts'
import type { TestDatabase } from '../_kit/db.ts'
import { agentIdOf } from '../_kit/events.ts'
import { explainFor, explainGenerally, listUnread, listWholeReads, readPromise } from '../_kit/plans.ts'
import { crowdedEvents, crowdedWorkspace, planWorkspace as workspace } from '../queries/_plan-data.ts'
import { openFilled } from '../queries/_plan-filled.ts'
import { statements } from '../sql/_statements.ts'

const agentId = agentIdOf(workspace, 'coder')
const to = '2026-03-08T00:00:00Z'
const day = [workspace, '2026-03-07T00:00:00Z', to]
const week = [workspace, '2026-03-01T00:00:00Z', to]

const looks: Readonly<Record<string, readonly unknown[]>> = {
  'findings/find-repeated-calls': [...week, 600, '2026-03-07T00:00:00Z'],
  'findings/find-unattested-repeats': week,
  'findings/read-plain-executions': [workspace, 'search', '2026-03-07T00:00:00Z', to, 20_000],
  'findings/find-dead-results': [...week, to],
  'findings/find-retry-loops': [...day, 3],
  'findings/find-missed-caches': [...day, 300, 2_048],
  'findings/find-growing-contexts': [...day, 6, 32_000, 3],
  'findings/find-reused-ivs': week,
  'findings/read-errors': [...day, ['search'], ['gpt-4o']],
  'findings/read-slow-calls': [...day, ['search'], [1_000]],
  'findings/read-dear-traces': [...day, [agentId]],
  'findings/read-unpriced-calls': week,
  'findings/read-unclear-spans': [...day, ['scope'], ['other']],
}

const found = JSON.stringify([
  {
    id: randomUUID(),
    type: 'repeated_tool_call',
    look_back_ms: 86_400_000,
    subject: 'subject 7',
    severity: 'info',
    title: 'title',
    detail: 'detail',
    occurrences: 1,
    evidence: {},
    decision_type: 'reuse_identity',
    input_hashes: ['hash'],
    tool_name: 'search',
    first_seen: to,
    last_seen: to,
  },
])

// Statements on tables that are small here, where a sequential scan is as fast as an index.
const others: Readonly<Record<string, readonly unknown[]>> = {
  'findings/hold-workspace': [workspace],
  'findings/list': [workspace, null, null, 'open', null, null, null, null, 51],
  'findings/find': [workspace, randomUUID()],
  'findings/list-wholes': [workspace, 'unattested_repeat'],
  'findings/list-refuted-rules': [workspace, 'reuse_identity'],
  'findings/name-agents': [workspace, [agentId]],
  'findings/read-drops': [workspace, '2026-03-01'],
  'findings/keep': [workspace, found],
}

let db: TestDatabase
let client: pg.Client
const test = around(
  async () => {
    await client.query('reset all')
  },
  async () => {
    await client.query('rollback')
  },
)
test.before(async () => {
  db = await openFilled()
  client = new pg.Client({ connectionString: db.url })
  await client.connect()
})
/** Begins the transaction in which the statements of a scan run. */
async function beginLook(): Promise<void> {
  await client.query('begin')
  await client.query(statements.find(({ name }) => name === 'findings/bound-look')?.text ?? '', ['0'])
}
test.after.always(async () => {
  await client.end()
  await db.stop()
})

test.serial('this test checks every statement that names an index', (t) => {
  const promising = statements.filter(({ name, indexes }) => name.startsWith('findings/') && indexes.length > 0)
  t.deepEqual(promising.map(({ name }) => name).sort(), [...Object.keys(looks), ...Object.keys(others)].sort())
})

for (const [name, values] of Object.entries(looks)) {
  test.serial(`${name}: a look reads events along the indexes that its header names`, async (t) => {
    t.true(readPromise(name).length > 0)
    await beginLook()
    for (const nodes of [await explainFor(client, name, values), await explainGenerally(client, name)]) {
      t.deepEqual(listUnread(name, nodes), [])
      t.deepEqual(listWholeReads(nodes), [])
      t.false(nodes.some((node) => node['Node Type'].includes('Bitmap')))
    }
  })
}

test.serial('statements of small tables also use their indexes', async (t) => {
  await client.query('set enable_seqscan = off')
  await client.query('set enable_bitmapscan = off')
  for (const [name, values] of Object.entries(others)) {
    t.deepEqual(listUnread(name, await explainFor(client, name, values)), [], name)
  }
})

test.serial('a detection reads a bounded number of rows, and none of other workspaces', async (t) => {
  await beginLook()
  const readOf = async (values: readonly unknown[]): Promise<number> => {
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: unknown }[] }>(
      `explain (analyze, format json) ${statements.find(({ name }) => name === 'findings/read-unpriced-calls')?.text}`,
      [...values],
    )
    const counts: number[] = []
    JSON.stringify(rows, (key, value: Record<string, unknown>) => {
      if (value?.['Relation Name'] !== undefined && String(value['Index Name']).includes('events_pkey')) {
        counts.push(Number(value['Actual Rows']) * Number(value['Actual Loops']))
      }
      return value
    })
    return counts.reduce((sum, rowsRead) => sum + rowsRead, 0)
  }
  const always = ['2026-01-01T00:00:00Z', '2026-05-01T00:00:00Z']
  t.is(await readOf([crowdedWorkspace, ...always]), crowdedEvents)
  t.true((await readOf([workspace, ...always])) <= 3_001)
})
