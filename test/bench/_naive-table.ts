// The table of the control pipeline: the columns of events with the attributes as jsonb, and its one insert statement.
import type { BenchPostgres } from './_postgres.ts'
import { chunkDaily } from './_raw-copy.ts'

/** Columns and their types, in the order of the insert's parameters: one array of text each. */
export const naiveColumns = {
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

export type NaiveColumn = keyof typeof naiveColumns

const names = Object.keys(naiveColumns) as NaiveColumn[]

export const naiveInsert = `insert into naive_spans (${names.join(', ')})
  select ${names.map((name) => `${name}::${naiveColumns[name]}`).join(', ')}
  from unnest(${names.map((_, at) => `$${at + 1}::text[]`).join(', ')}) as span (${names.join(', ')})
  on conflict do nothing`

/** Makes the table with the keys and indexes that ours has too; on TimescaleDB with its chunks. */
export async function makeNaiveTable({ query, chunked }: BenchPostgres): Promise<void> {
  await query(`create table naive_spans (
    ${names.map((name) => `${name} ${naiveColumns[name]}`).join(',\n    ')},
    primary key (workspace_id, start_time, trace_id, span_id)
  )`)
  await query('create index on naive_spans (workspace_id, trace_id)')
  await query(`create index on naive_spans (workspace_id, tool_name, input_hash, start_time desc)
    where tool_name is not null and not served and status <> 'error'`)
  if (chunked) await chunkDaily(query, 'naive_spans')
}
