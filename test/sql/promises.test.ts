// A prepared statement uses the indexes that its header names for any values: this tests the generic plan, to which PostgreSQL switches
// after a few executions and which is otherwise rarely seen.
import test from 'ava'
import pg from 'pg'
import type { TestDatabase } from '../_kit/db.ts'
import { explainGenerally, listUnread, listWholeReads } from '../_kit/plans.ts'
import { openFilled } from '../queries/_plan-filled.ts'
import { statements } from './_statements.ts'

// Statements of dashboards are planned for their values (test/queries/plan.test.ts); the tables of people, keys and workspaces are empty
// here, so all indexes are equally good.
const capabilities = new Set(['ingest', 'retention', 'rollups', 'decisions', 'apply'])
// Every pool that measures makes plans for values, and so does the gate itself (decisions/plan-for-values): the number of events of a phase
// and of a tool decides which plan is faster (test/decisions/trials/plan.test.ts, test/decisions/unread/plan.test.ts).
const plannedForValues = new Set([
  'decisions/find-first-unread',
  'decisions/find-late-unread',
  'decisions/judge-readings',
  'decisions/measure-caching',
  'decisions/measure-executions',
  'decisions/measure-quality',
  'decisions/replay-history',
])
const promising = statements.filter(
  ({ name, indexes }) =>
    indexes.length > 0 && capabilities.has(name.split('/')[0] ?? '') && !plannedForValues.has(name),
)

let db: TestDatabase
let client: pg.Client

test.before(async () => {
  db = await openFilled()
  client = new pg.Client({ connectionString: db.url })
  await client.connect()
  for (const { text } of statements.filter(({ name }) => name.startsWith('ingest/make-stage'))) await client.query(text)
  // Most tables hold few rows here.
  await client.query('set enable_seqscan = off')
  await client.query('set enable_bitmapscan = off')
})
test.after.always(async () => {
  await client.end()
  await db.stop()
})

test.serial('planned once for all values, every statement keeps to the indexes that its header names', async (t) => {
  t.true(promising.length > 20)
  const broken: string[] = []
  for (const { name } of promising) {
    const nodes = await explainGenerally(client, name)
    const faults = [...listUnread(name, nodes), ...listWholeReads(nodes).map((table) => `all of ${table}`)]
    if (faults.length > 0) broken.push(`${name}: ${faults.join(', ')}`)
  }
  t.deepEqual(broken, [])
})

test.serial(
  'row-level security does not prevent the use of an index: statements exclude the hidden rows as well',
  async (t) => {
    const scoped = promising.filter(({ text }) => /^-- scope: /m.test(text))
    t.true(scoped.length > 10)
    const broken: string[] = []
    let hidden = 0
    for (const { name } of scoped) {
      // Tries the roles until one may run the statement.
      for (const role of ['tracewright_actor', 'tracewright_front']) {
        await client.query(`set role ${role}`)
        try {
          const nodes = await explainGenerally(client, name)
          if (nodes.some((node) => 'Subplan Name' in node)) hidden += 1
          const faults = [...listUnread(name, nodes), ...listWholeReads(nodes).map((table) => `all of ${table}`)]
          if (faults.length > 0) broken.push(`${name}: ${faults.join(', ')}`)
          break
        } catch (error) {
          if ((error as { code?: string }).code !== '42501' || role === 'tracewright_front') throw error
        } finally {
          await client.query('reset role')
        }
      }
    }
    t.true(hidden > scoped.length / 2, 'the plans ask for the scope')
    t.deepEqual(broken, [])
  },
)
