// Empties, compares and measures the tables of a bench's database between two runs.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchPostgres } from './_postgres.ts'

// Tables of credentials are kept.
const kept = ['workspaces', 'api_keys']
const deadlockDetected = '40P01'
const maxTries = 10

/** Empties every table that holds ingested data, including tables not named in this file, then runs a checkpoint. */
export async function emptyTables({ query }: BenchPostgres): Promise<void> {
  const tables = await query<{ name: string }>(
    `select quote_ident(c.relname) as name from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all ($1)`,
    [kept],
  )
  // One by one: TimescaleDB does not truncate a hypertable together with other tables.
  for (const { name } of tables) await truncate(query, name)
  await query('checkpoint')
}

/** Retries, since a background job of the service may cause a deadlock. */
async function truncate(query: BenchPostgres['query'], table: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await query(`truncate ${table}`)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== deadlockDetected || tries >= maxTries) throw error
    }
  }
}

/** Returns the number of stored spans by workspace. */
export async function countEvents({ query }: BenchPostgres): Promise<Map<string, number>> {
  const rows = await query<{ id: string; events: number }>(
    'select workspace_id as id, count(*)::int as events from events group by 1',
  )
  return new Map(rows.map(({ id, events }) => [id, events]))
}

/** Returns the number of spans from which the service removed something. */
export async function countRedacted({ query }: BenchPostgres): Promise<number> {
  const [row] = await query<{ spans: number }>(
    `select count(*)::int as spans from events where 'redacted' = any (flags)`,
  )
  return row?.spans ?? 0
}

// Includes the chunks, if there are any.
const parts = `(select oid from pg_class where oid = $1::regclass
  union all select inhrelid from pg_inherits where inhparent = $1::regclass)`

/** Returns the bytes of a table with its indexes. */
export async function tableBytes({ query }: BenchPostgres, table: string): Promise<number> {
  const [row] = await query<{ bytes: string }>(`select sum(pg_total_relation_size(oid)) as bytes from ${parts} t`, [
    table,
  ])
  return Number(row?.bytes ?? 0)
}

const statsDeadlineMs = 30_000

/** Returns the dead rows of a table by the server's statistics, once these include `inserted` inserts: sessions report them late. */
export async function countDead({ query }: BenchPostgres, table: string, inserted: number): Promise<number> {
  const untilMs = performance.now() + statsDeadlineMs
  for (;;) {
    const [row] = await query<{ inserted: number; dead: number }>(
      `select sum(n_tup_ins)::int as inserted, sum(n_dead_tup)::int as dead
       from pg_stat_all_tables where relid in (select oid from ${parts} t)`,
      [table],
    )
    if ((row?.inserted ?? 0) >= inserted) return row?.dead ?? 0
    if (performance.now() > untilMs) throw new Error(`the statistics of ${table} know of ${row?.inserted} inserts only`)
    await sleep(250)
  }
}
