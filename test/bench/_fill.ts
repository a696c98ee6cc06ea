// Builds a table that looks as if it had been in service for weeks: the rows that the service has stored for a workspace are copied into
// its past. Rollups are not copied, since ingest of new spans does not touch those of days ago.
import type { BenchPostgres } from './_postgres.ts'

// Each day holds two copies.
const stepHours = 12

type Replaced = Readonly<Record<string, string>>

const earlier = (column: string): string => `${column} - copy.hours * interval '1 hour'`
const otherTrace = `substr(sha256(trace_id || int4send(copy.hours)), 1, 16)`
const otherPayload = (column: string): string => `md5(${column}::text || copy.hours)::uuid`

/** The columns that differ from copy to copy, by table; `copy.hours` is the distance into the past. */
const tables: Readonly<Record<string, Replaced>> = {
  events: { start_time: earlier('start_time'), trace_id: otherTrace, payload_id: otherPayload('payload_id') },
  payload_blocks: { start_time: earlier('start_time'), id: otherPayload('id') },
  traces: {
    start_time: earlier('start_time'),
    end_time: earlier('end_time'),
    name_start_time: earlier('name_start_time'),
    last_received_at: earlier('last_received_at'),
    trace_id: otherTrace,
  },
}

/**
 * Copies all rows of the workspace, which must be settled, until there are at least `rows` events. Returns the number of events. Vacuums as
 * autovacuum would.
 */
export async function fillPast({ query }: BenchPostgres, workspaceId: string, rows: number): Promise<number> {
  const [now] = await query<{ at: string }>('select clock_timestamp()::text as at')
  const [own] = await query<{ events: number }>('select count(*)::int as events from events where workspace_id = $1', [
    workspaceId,
  ])
  if (now === undefined || own === undefined || own.events === 0) throw new Error('there are no rows to be copied')
  const copies = Math.ceil(rows / own.events) - 1
  const insert = await Promise.all(
    Object.entries(tables).map(async ([table, replaced]) => await makeInsert(query, table, replaced)),
  )
  const left = Array.from({ length: copies }, (_, at) => (copies - at) * stepHours).values()
  // Oldest first, in the order of arrival; one connection for each core.
  await Promise.all(
    [1, 2].map(async () => {
      for (const hours of left) for (const text of insert) await query(text, [workspaceId, hours, now.at])
    }),
  )
  await query('update agents set events = events * $2 where workspace_id = $1', [workspaceId, copies + 1])
  for (const table of Object.keys(tables)) await query(`vacuum (freeze, analyze) ${table}`)
  await query('checkpoint')
  return own.events * (copies + 1)
}

/** Covers the rows after $3 minus two hours, which are the ones that were sent. */
async function makeInsert(query: BenchPostgres['query'], table: string, replaced: Replaced): Promise<string> {
  const columns = await query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  const names = columns.map(({ name }) => name)
  return `insert into ${table} (${names.join(', ')})
    select ${names.map((name) => replaced[name] ?? name).join(', ')}
    from ${table}, (select $2::int as hours) copy
    where workspace_id = $1 and start_time > $3::timestamptz - interval '2 hours'`
}
