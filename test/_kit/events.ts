// Stores events by plain SQL, with the other rows that ingest writes: agents, traces, commits and the count of the day.
import { createHash } from 'node:crypto'
import type { Kind } from '../../src/event/event.ts'

/** The fields of an event that a test sets; all others have a default. Ids are in hex, times are RFC 3339 text with up to microseconds. */
export type EventSeed = {
  readonly start: string
  readonly trace: string
  readonly span: string
  readonly parent?: string | null
  readonly agent?: string
  readonly session?: string | null
  readonly kind?: Kind
  readonly counted?: boolean
  readonly status?: 'ok' | 'error'
  readonly model?: string | null
  readonly tool?: string | null
  readonly inputHash?: string | null
  readonly served?: boolean
  readonly holdout?: boolean
  readonly durationUs?: number | null
  readonly input?: number | null
  readonly output?: number | null
  readonly cached?: number | null
  readonly cacheWrite?: number | null
  readonly reasoning?: number | null
  readonly costUsd?: number | null
  readonly savingsUsd?: number | null
  readonly providedCostUsd?: number | null
  readonly attested?: boolean
  readonly attestedUnread?: boolean
  readonly readOnly?: boolean | null
  readonly toolVersion?: string | null
  readonly scopeHash?: string | null
  readonly contentHash?: string | null
  /** If given, the execution has an encrypted result, whose ciphertext is the bytes of its content hash. */
  readonly keyId?: string | null
  readonly callId?: string | null
  readonly consumed?: readonly string[]
  readonly read?: readonly string[]
  readonly decisionId?: string | null
  readonly taskType?: string | null
  readonly qualityScore?: number | null
  readonly errorType?: string | null
  /** Name, version and dialect of the instrumentation scope. */
  readonly scope?: string | null
  readonly scopeVersion?: string | null
  readonly dialect?: string | null
  readonly agentUnnamed?: boolean | null
  /** Flags in addition to `unpriced`, which follows from tokens and cost. */
  readonly flags?: readonly string[]
}

/** Runs plain SQL: the pool of a test database, or one client inside a transaction. */
export type Query = (text: string, values: unknown[]) => Promise<unknown>

const agentIds = new Map<string, string>()

/** Returns the id that an agent of this name has in tests. */
export function agentIdOf(workspaceId: string, name: string): string {
  const key = `${workspaceId}/${name}`
  const known = agentIds.get(key)
  if (known !== undefined) return known
  const hex = createHash('sha256').update(key).digest('hex')
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  agentIds.set(key, id)
  return id
}

/** Returns a hex id of 32 or 16 characters with this number at its end. */
export const hexId = (number: number, characters: 16 | 32): string => number.toString(16).padStart(characters, '0')

/** Stores the events in one statement: in a separate transaction unless `query` runs inside one. */
export async function storeEvents(query: Query, workspaceId: string, seeds: readonly EventSeed[]): Promise<void> {
  await query(statement, [JSON.stringify(seeds.map((seed) => makeRow(workspaceId, seed)))])
}

/** Leaves out what is null and lists that are empty: parsing them would take a third of the time of the statement. */
function makeRow(workspaceId: string, seed: EventSeed): Record<string, unknown> {
  const agent = seed.agent ?? 'agent'
  const served = seed.served ?? false
  return {
    workspace_id: workspaceId,
    start_time: seed.start,
    trace_id: `\\x${seed.trace}`,
    span_id: `\\x${seed.span}`,
    parent_span_id: seed.parent ? `\\x${seed.parent}` : undefined,
    agent_id: agentIdOf(workspaceId, agent),
    agent_fallback: agent,
    session_id: seed.session ?? undefined,
    kind: seed.kind ?? 'llm',
    counted: seed.counted ?? true,
    name: `${seed.kind ?? 'llm'} span`,
    status: seed.status ?? 'ok',
    provider: seed.model ? 'openai' : undefined,
    model: seed.model ?? undefined,
    tool_name: seed.tool ?? undefined,
    input_hash: seed.inputHash ?? undefined,
    error_type: seed.errorType ?? undefined,
    tool_call_id: seed.callId ?? undefined,
    content_hash: seed.contentHash ?? undefined,
    key_id: seed.keyId ?? undefined,
    tool_version: seed.toolVersion ?? undefined,
    scope_hash: seed.scopeHash ?? undefined,
    attested: seed.attested ?? false,
    attested_unread: seed.attestedUnread ?? false,
    read_only: seed.readOnly ?? undefined,
    served,
    holdout: seed.holdout ?? false,
    decision_id: seed.decisionId ?? undefined,
    task_type: seed.taskType ?? undefined,
    consumed_tool_call_ids: unlessEmpty(seed.consumed),
    read_tool_call_ids: unlessEmpty(seed.read),
    provided_cost_usd: seed.providedCostUsd ?? undefined,
    quality_score: seed.qualityScore ?? undefined,
    duration_us: seed.durationUs === undefined ? 1_000 : (seed.durationUs ?? undefined),
    input_tokens: seed.input ?? undefined,
    output_tokens: seed.output ?? undefined,
    cached_tokens: seed.cached ?? undefined,
    cache_write_tokens: seed.cacheWrite ?? undefined,
    reasoning_tokens: seed.reasoning ?? undefined,
    cost_usd: seed.costUsd ?? undefined,
    cache_savings_usd: seed.savingsUsd ?? undefined,
    scope_name: seed.scope ?? undefined,
    scope_version: seed.scopeVersion ?? undefined,
    dialect: seed.dialect ?? undefined,
    agent_unnamed: seed.agentUnnamed ?? undefined,
    flags: unlessEmpty([
      ...(seed.flags ?? []),
      ...(hasTokens(seed) && typeof seed.costUsd !== 'number' ? ['unpriced'] : []),
    ]),
  }
}

const unlessEmpty = (list: readonly string[] = []): readonly string[] | undefined =>
  list.length === 0 ? undefined : list

const hasTokens = ({ input, output }: EventSeed): boolean => typeof input === 'number' || typeof output === 'number'

const names = Object.keys(makeRow('', { start: '', trace: '', span: '' }))
const columns = [...names, 'finish_reasons'].join(', ')
const lists = new Set(['consumed_tool_call_ids', 'read_tool_call_ids', 'flags'])
const values = [
  ...names.map((name) => (lists.has(name) ? `coalesce(${name}, '{}') as ${name}` : name)),
  `'{}'::text[] as finish_reasons`,
].join(', ')

const statement = `
with given as (
  select ${values} from json_populate_recordset(null::events, $1::json)
), stored as (
  insert into events (${columns}) select ${columns} from given
), kept as (
  insert into tool_results (workspace_id, start_time, trace_id, span_id, ciphertext, iv, tag)
  select workspace_id, start_time, trace_id, span_id, convert_to(coalesce(content_hash, ''), 'UTF8'), decode(repeat('01', 12), 'hex'),
    decode(repeat('02', 16), 'hex')
  from given where key_id is not null
), named as (
  insert into agents as a (workspace_id, id, name, first_seen, last_seen, models, events)
  select workspace_id, agent_id, agent_fallback, min(start_time), max(start_time),
    coalesce(array_agg(distinct model) filter (where model is not null), '{}'), count(*)
  from given group by 1, 2, 3
  on conflict (workspace_id, id) do update set
    first_seen = least(a.first_seen, excluded.first_seen),
    last_seen = greatest(a.last_seen, excluded.last_seen),
    models = (select coalesce(array_agg(distinct m), '{}') from unnest(a.models || excluded.models) m),
    events = a.events + excluded.events
), traced as (
  insert into traces as t (workspace_id, trace_id, start_time, end_time, has_root, name, name_start_time, agent_id, session_id,
    span_count, llm_calls, tool_calls, served_calls, holdout_calls, error_count, input_tokens, output_tokens, cached_tokens,
    cache_write_tokens, cost_usd, unpriced_calls, models, tools, settled, last_received_at)
  select workspace_id, trace_id, min(start_time), max(start_time + coalesce(duration_us, 0) * interval '1 microsecond'),
    bool_or(parent_span_id is null), min(name), min(start_time), (array_agg(agent_id order by start_time))[1], min(session_id),
    count(*), count(*) filter (where counted and kind = 'llm'), count(*) filter (where counted and kind = 'tool'),
    count(*) filter (where counted and kind = 'tool' and served), count(*) filter (where counted and kind = 'tool' and holdout),
    count(*) filter (where status = 'error'), coalesce(sum(input_tokens) filter (where counted), 0),
    coalesce(sum(output_tokens) filter (where counted), 0), coalesce(sum(cached_tokens) filter (where counted), 0),
    coalesce(sum(cache_write_tokens) filter (where counted), 0), sum(cost_usd) filter (where counted),
    count(*) filter (where counted and 'unpriced' = any (flags)),
    coalesce(array_agg(distinct model) filter (where model is not null), '{}'),
    coalesce(array_agg(distinct tool_name) filter (where tool_name is not null), '{}'), true, now()
  from given group by 1, 2
  on conflict (workspace_id, trace_id) do update set
    start_time = least(t.start_time, excluded.start_time),
    end_time = greatest(t.end_time, excluded.end_time),
    moved_from = case when excluded.start_time < t.start_time then t.moved_from || t.start_time else t.moved_from end,
    moved_xids = case when excluded.start_time < t.start_time then t.moved_xids || pg_current_xact_id() else t.moved_xids end,
    span_count = t.span_count + excluded.span_count
), committed as (
  insert into commits as c (workspace_id, events, first_start_time, last_start_time)
  select workspace_id, count(*), min(start_time), max(start_time) from given group by 1
  on conflict (workspace_id, xid) do update set
    events = c.events + excluded.events,
    first_start_time = least(c.first_start_time, excluded.first_start_time),
    last_start_time = greatest(c.last_start_time, excluded.last_start_time)
)
insert into usage_days as d (workspace_id, day, stored)
select workspace_id, (now() at time zone 'UTC')::date, count(*) from given group by 1
on conflict (workspace_id, day) do update set stored = d.stored + excluded.stored`
