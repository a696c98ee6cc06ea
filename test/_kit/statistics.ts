// Makes the planner's statistics of a test's tables the same in every run.
import pg from 'pg'
import type { TestDatabase } from './db.ts'
import { until } from './until.ts'

/**
 * Options of a connection. ANALYZE samples 300 rows for each unit of the target: with this one, it reads tables of up to 300,000 rows in full
 * and gets the same result in every run. Plans show times in the zone of the connection, which is that of the service.
 */
export const wholeSamples = '-c default_statistics_target=1000 -c timezone=UTC'

/**
 * Turns autovacuum off for all tables, since it gathers statistics and marks pages as visible at unpredictable times. Call it before
 * filling them.
 */
export async function disableAutovacuum({ query }: Pick<TestDatabase, 'query'>): Promise<void> {
  const tables = await query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of tables)
    await query(`alter table ${name} set (autovacuum_enabled = false, toast.autovacuum_enabled = false)`)
}

/** Reads all rows of all tables for the planner's statistics, and marks every page as visible to all. */
export async function gatherStatistics({ url }: Pick<TestDatabase, 'url'>): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: wholeSamples })
  await client.connect()
  try {
    await vacuumWhole(client)
  } finally {
    await client.end()
  }
}

/**
 * Vacuums until all pages are visible, except one that a table was extended by and has not used. Vacuum skips rows that a transaction still
 * sees.
 */
async function vacuumWhole(client: pg.Client): Promise<void> {
  const list = async (condition: string): Promise<string> => {
    const { rows } = await client.query<{ tables: string | null }>(
      `select string_agg(oid::regclass::text, ', ') as tables from pg_class
       where relkind = 'r' and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) and ${condition}`,
    )
    return rows[0]?.tables ?? ''
  }
  await client.query(`vacuum analyze ${await list('true')}`)
  await until(async () => {
    const left = await list('relpages - relallvisible > 1')
    if (left !== '') await client.query(`vacuum ${left}`)
    return left === ''
  })
}
