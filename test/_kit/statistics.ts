// What the planner knows of a test's tables, made the same in every run.
import pg from 'pg'
import type { TestDatabase } from './db.ts'

// Up to this many rows ANALYZE reads them all, as it samples 300 times the target, and finds the same in every run.
const statisticsTarget = 1_000

/** Keeps autovacuum off all tables: it would gather statistics and mark pages as visible at a moment of its own. Call it before filling them. */
export async function disableAutovacuum({ query }: TestDatabase): Promise<void> {
  const tables = await query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of tables)
    await query(`alter table ${name} set (autovacuum_enabled = false, toast.autovacuum_enabled = false)`)
}

/** Reads all rows of all tables for the planner's statistics, and marks every page as visible to all. */
export async function gatherStatistics({ url }: TestDatabase): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    options: `-c default_statistics_target=${statisticsTarget}`,
  })
  await client.connect()
  try {
    await vacuumWhole(client)
  } finally {
    await client.end()
  }
}

/** Up to a page that a table was extended by and has not used. Vacuum passes over what another transaction still sees. */
async function vacuumWhole(client: pg.Client): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    await client.query('vacuum analyze')
    const { rows } = await client.query<{ whole: boolean }>(
      `select bool_and(relpages - relallvisible <= 1) as whole from pg_class
       where relkind = 'r' and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`,
    )
    if (rows[0]?.whole === true) return
  }
  throw new Error('vacuum never marked every page as visible')
}
