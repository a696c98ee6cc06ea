// The tables of the two control pipelines, with the columns of events and one more for the attributes, and the insert statement of each.
import type { BenchPostgres } from './_postgres.ts'
import { chunkDaily } from './_raw-copy.ts'

/** Columns and their types, in the order of the statements. */
export const controlColumns = {
  workspace_id: 'uuid',
  start_time: 'timestamptz',
  trace_id: 'bytea',
  span_id: 'bytea',
  parent_span_id: 'bytea',
  agent_name: 'text',
  session_id: 'text',
  user_id: 'text',
  kind: 'text',
  operation: 'text',
  name: 'text',
  status: 'text',
  error_type: 'text',
  error_message: 'text',
  agent_version: 'text',
  task_type: 'text',
  environment: 'text',
  provider: 'text',
  request_model: 'text',
  model: 'text',
  response_id: 'text',
  finish_reasons: 'text[]',
  tool_name: 'text',
  tool_call_id: 'text',
  input_hash: 'text',
  content_hash: 'text',
  served: 'boolean',
  holdout: 'boolean',
  decision_id: 'uuid',
  duration_us: 'bigint',
  ttft_ms: 'double precision',
  input_tokens: 'bigint',
  output_tokens: 'bigint',
  cached_tokens: 'bigint',
  cache_write_tokens: 'bigint',
  reasoning_tokens: 'bigint',
  cost_usd: 'double precision',
  provided_cost_usd: 'double precision',
  attributes: 'jsonb',
  resource: 'jsonb',
} as const

export type ControlColumn = keyof typeof controlColumns

const names = Object.keys(controlColumns) as ControlColumn[]
const tables = { naive: 'naive_spans', competent: 'competent_spans' } as const

/** The parameters are arrays of text, one for each column. */
export const naiveInsert = `insert into ${tables.naive} (${names.join(', ')})
  select ${names.map((name) => `${name}::${controlColumns[name]}`).join(', ')}
  from unnest(${names.map((_, at) => `$${at + 1}::text[]`).join(', ')}) as span (${names.join(', ')})
  on conflict do nothing`

export const competentCopy = `copy ${tables.competent} (${names.join(', ')}) from stdin`

/** Parsing JSON that is never queried costs as much as all other columns together; a competent pipeline stores it as text. */
const typeOf = (control: keyof typeof tables, name: ControlColumn): string =>
  control === 'competent' && controlColumns[name] === 'jsonb' ? 'text' : controlColumns[name]

/**
 * Creates the table with the same keys and indexes as the service's table, and with chunks on TimescaleDB. Returns its name. Autovacuum is
 * off for it: it would start a minute later, while the service is measured.
 */
export async function makeControlTable(
  { query, chunked }: BenchPostgres,
  control: keyof typeof tables,
): Promise<string> {
  const table = tables[control]
  await query(`create table ${table} (
    ${names.map((name) => `${name} ${typeOf(control, name)}`).join(',\n    ')},
    primary key (workspace_id, start_time, trace_id, span_id)
  ) with (autovacuum_enabled = off)`)
  await query(`create index on ${table} (workspace_id, trace_id)`)
  await query(`create index on ${table} (workspace_id, tool_name, input_hash, start_time desc)
    where tool_name is not null and not served and status <> 'error'`)
  if (chunked) await chunkDaily(query, table)
  return table
}
