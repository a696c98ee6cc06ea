// The owner of a key may invalidate many inputs of a tool: reading the rules of the tool costs nothing for those that no rule lists.
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { inputPrefix } from '../../src/base/input-prefix.ts'
import { readRules } from '../../src/decisions/snapshot.ts'
import { rulesResponse } from '../../src/serving/routes.ts'
import { loadStatements } from '../../src/store/statements.ts'
import { makeDatabase } from '../_kit/db.ts'
import { countPages } from '../_kit/plans.ts'
import { inSoak } from '../_kit/soak.ts'
import { disableAutovacuum } from '../_kit/statistics.ts'
import { addDecision, makeWorkspace } from '../_kit/workspace.ts'

const rulesOfTool = 50
const invalidated = inSoak(4_000, 20_000)
const hashOf = (nth: number): string => `sha256:${nth.toString(16).padStart(64, '0')}`

/** A database with a connection whose pages can be counted, until the test ends. */
async function openDatabase(t: ExecutionContext) {
  const { db, query, url, stop } = await makeDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.teardown(async () => {
    await client.end()
    await stop()
  })
  return { db, query, client }
}

type Node = {
  readonly 'CTE Name'?: string
  readonly 'Function Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Node[]
}

/** Runs the statement and returns the nodes of its plan. */
async function explain(client: pg.Client, values: readonly unknown[]): Promise<Node[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `explain (analyze, format json) ${loadStatements().get('decisions/active-rules')}`,
    [...values],
  )
  const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
  return rows.flatMap((row) => flatten(row['QUERY PLAN'][0].Plan))
}

/** Returns how many recent invalidations the statement compares with the inputs of a rule, summed over all rules. */
const countRecent = async (client: pg.Client, values: readonly unknown[]): Promise<number> =>
  (await explain(client, values))
    .filter((node) => node['CTE Name'] === 'recent')
    .map((node) => node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)))
    .reduce((sum, read) => sum + read, 0)

test('many invalidated inputs make no rule of the tool larger, and are not read for each rule', async (t) => {
  const { db, query, client } = await openDatabase(t)
  const workspaceId = await makeWorkspace(query)
  const [kept, left] = [hashOf(invalidated + 1), hashOf(1)]
  for (let nth = 0; nth < rulesOfTool; nth += 1)
    await addDecision(query, workspaceId, { inputs: [kept, left], agentId: makeUuidV7() })
  await addDecision(query, workspaceId, { inputHash: kept, inputs: [kept] })
  await addDecision(query, workspaceId, { inputHash: left, inputs: [left] })
  await addDecision(query, workspaceId, { type: 'suppress_dead', inputHash: null })
  await query(
    `insert into invalidations (workspace_id, id, at, tool_name, input_hash)
     select $1, gen_random_uuid(), now() - interval '1 minute', 'search', 'sha256:' || lpad(to_hex(n), 64, '0') from generate_series(1, $2) n`,
    [workspaceId, invalidated],
  )
  await query(
    "insert into invalidations (workspace_id, id, at, tool_name) values ($1, gen_random_uuid(), now() - interval '1 day', 'search')",
    [workspaceId],
  )
  await query('analyze invalidations')

  const values = [workspaceId, null, 196_608, 4_096]
  const rows = await db.rows<{ invalidated: string | null; inputs: string | null }>('decisions/active-rules', values)
  t.deepEqual(new Set(rows.map((row) => row.invalidated)), new Set([left, null]))
  const { pages } = await countPages(client, 'decisions/active-rules', values)
  t.true(pages < rulesOfTool * 30, `${pages} pages`)
  // All are of the last two minutes, but only one of them is of a listed input.
  t.is(await countRecent(client, values), rulesOfTool)

  // Later, and with a new one of an input that no rule lists.
  await query("update invalidations set at = at - interval '1 hour'")
  await query(
    "insert into invalidations (workspace_id, id, at, tool_name, input_hash) values ($1, gen_random_uuid(), now(), 'search', 'other')",
    [workspaceId],
  )
  await query('vacuum analyze invalidations')
  const later = await countPages(client, 'decisions/active-rules', values)
  t.true(later.pages < rulesOfTool * 30, `${later.pages} pages`)
  await query("update invalidations set at = at + interval '1 hour' where input_hash <> 'other'")

  const rules = await readRules({ db, pollAfterS: 30 }, workspaceId, null)
  if (rules === null || rules === 'same') return t.fail()
  const body = rulesResponse.parse(JSON.parse(rules.text)).rules
  t.deepEqual(
    body.filter(({ inputs }) => inputs !== null).map(({ inputs }) => inputs),
    Array.from({ length: rulesOfTool }, () => [inputPrefix(kept)]),
  )
  // The rule of an invalidated input, and the one that lists no inputs, serve nothing from before the last minutes; the others, a day.
  const ageMs = (at: string | null | undefined): number => new Date().getTime() - new Date(at ?? 0).getTime()
  const ages = body.map(({ executed_after: at }) => ageMs(at) < 3_600_000)
  t.deepEqual(ages.slice(rulesOfTool), [false, true, true])
  t.false(ages.slice(0, rulesOfTool).includes(true))
})

test('invalidations of many agents and versions are read once, not for each rule, whatever the statistics', async (t) => {
  const { query, client } = await openDatabase(t)
  const workspaceId = await makeWorkspace(query)
  for (let nth = 0; nth < rulesOfTool; nth += 1) {
    const input = hashOf(nth)
    await addDecision(query, workspaceId, { inputHash: input, inputs: [input], toolVersion: `version ${nth}` })
  }
  await query(
    `insert into invalidations (workspace_id, id, at, tool_name, agent_name, tool_version)
     select $1, gen_random_uuid(), now() - n * interval '1 minute', 'search', 'agent ' || n, 'version ' || n % 100 from generate_series(1, $2::int) n`,
    [workspaceId, inSoak(4_000, 10_000)],
  )
  const values = [workspaceId, null, 196_608, 4_096]
  const { rows, pages } = await countPages(client, 'decisions/active-rules', values)
  t.is(rows, rulesOfTool)
  t.true(pages < rulesOfTool * 30, `${pages} pages`)
})

test('the inputs that the rules list are read once, not for each invalidated input, whatever the statistics', async (t) => {
  const { query, client } = await openDatabase(t)
  await disableAutovacuum({ query })
  const workspaceId = await makeWorkspace(query)
  for (let nth = 0; nth < rulesOfTool; nth += 1)
    await addDecision(query, workspaceId, { inputs: [hashOf(nth)], agentId: makeUuidV7() })
  const values = [workspaceId, null, 196_608, 4_096]
  const readLoops = async (): Promise<number[]> =>
    (await explain(client, values))
      .filter((node) => node['Function Name'] === 'unnest')
      .map((node) => node['Actual Loops'])
  const invalidate = async (age: string, from: number): Promise<unknown> =>
    await query(
      `insert into invalidations (workspace_id, id, at, tool_name, input_hash)
       select $1, gen_random_uuid(), now() - $2::interval, 'search', 'sha256:' || lpad(to_hex(n), 64, '0') from generate_series($3::int, $3::int + 99) n`,
      [workspaceId, age, from],
    )
  await invalidate('1 hour', 1_000)
  t.deepEqual(await readLoops(), [0], 'nothing was invalidated lately')
  await invalidate('1 minute', 2_000)
  // The planner expects a single invalidation as long as it knows the size of the other table alone.
  for (const table of ['workspaces', 'decisions', 'invalidations']) {
    t.deepEqual(await readLoops(), [rulesOfTool], `before analyze ${table}`)
    await query(`analyze ${table}`)
  }
  t.deepEqual(await readLoops(), [rulesOfTool])
})
