// PostgreSQL can prepare every statement on the migrated schema, and the indexes in their headers exist.

import test from 'ava'
import pg from 'pg'
import { useDatabase } from '../_kit/use-database.ts'
import { statements } from './_statements.ts'

const database = useDatabase()

async function prepareAll(among: readonly { name: string; text: string }[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const faults: string[] = []
    for (const [at, { name, text }] of among.entries()) {
      const fault = await client.query(`prepare statement_${at} as ${text}`).catch((error: Error) => error.message)
      if (typeof fault === 'string') faults.push(`${name}: ${fault}`)
    }
    return faults
  } finally {
    await client.end()
  }
}

test('every statement prepares', async (t) => {
  t.deepEqual(await prepareAll(statements), [])
})

test('a statement with an unknown column does not prepare', async (t) => {
  t.is((await prepareAll([{ name: 'wrong', text: 'select no_such_column from events' }])).length, 1)
})

test('every index that a header names exists, on a table that the statement uses', async (t) => {
  const rows = await database.query<{ index: string; table: string }>(
    `select indexname as index, tablename as table from pg_indexes where schemaname = 'public'`,
  )
  const tables = new Map(rows.map(({ index, table }) => [index, table]))
  const faults = statements.flatMap(({ name, text, indexes }) =>
    indexes.flatMap((index) => {
      const table = tables.get(index)
      if (table === undefined) return [`${name}: there is no index ${index}`]
      return new RegExp(`\\b${table}\\b`).test(text) ? [] : [`${name}: ${index} is on ${table}, which it does not use`]
    }),
  )
  t.deepEqual(faults, [])
})

test('every table of a workspace begins its keys and indexes with the workspace', async (t) => {
  const across = new Set([
    // looked up by a secret
    'api_keys_digest_key',
    // looked up over all workspaces, by loops of the service itself
    'commits_by_time',
    'traces_to_settle',
    'rollup_work_by_due',
    'api_keys_by_revocation',
    // one of our ids, unique by itself
    'api_keys_pkey',
    'decisions_pkey',
    'decision_transitions_pkey',
    'findings_pkey',
  ])
  const rows = await database.query<{ index: string; first: string | null }>(
    `select c.relname as index, a.attname as first
       from pg_index i
       join pg_class c on c.oid = i.indexrelid
       join pg_class r on r.oid = i.indrelid
       join pg_namespace n on n.oid = r.relnamespace and n.nspname = 'public'
       left join pg_attribute a on a.attrelid = r.oid and a.attnum = i.indkey[0]
      where exists (select from pg_attribute w where w.attrelid = r.oid and w.attname = 'workspace_id' and not w.attisdropped)`,
  )
  t.true(rows.length > 10)
  const strays = rows.filter(({ index, first }) => first !== 'workspace_id' && !across.has(index))
  t.deepEqual(
    strays.map(({ index, first }) => `${index} begins with ${first ?? 'an expression'}`),
    [],
  )
})
