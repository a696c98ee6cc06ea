-- What agents sent: events, their payloads, traces, agents, usage.
-- The time stands second in the identity, so that one index serves idempotency, listing and ranges.

create table agents (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  models text[] not null default '{}',
  -- stored events that carry this agent; an agent that settling left without any is removed
  events bigint not null default 0,
  primary key (workspace_id, id),
  unique (workspace_id, name)
);
create index agents_by_last_seen on agents (workspace_id, last_seen desc, id desc);

create table events (
  workspace_id uuid not null,
  start_time timestamptz not null,
  trace_id bytea not null,
  span_id bytea not null,
  parent_span_id bytea,
  -- the transaction that stored it: commit order for the tail
  inserted_xid xid8 not null default pg_current_xact_id(),
  agent_id uuid not null,
  -- what the span itself names (own) or falls back to; settling derives agent_id, session_id and user_id from these
  agent_own text,
  agent_fallback text not null,
  session_id text,
  session_own text,
  user_id text,
  user_own text,
  kind text not null,
  -- this event counts in calls, tokens and cost (roll-up guard)
  counted boolean not null,
  operation text,
  name text not null,
  status text not null,
  error_type text,
  error_message text,
  agent_version text,
  task_type text,
  environment text,
  provider text,
  request_model text,
  model text,
  response_id text,
  finish_reasons text[] not null,
  tool_name text,
  tool_call_id text,
  input_hash text,
  content_hash text,
  key_id text,
  attested boolean not null,
  served boolean not null,
  holdout boolean not null,
  decision_id uuid,
  consumed_tool_call_ids text[] not null,
  read_tool_call_ids text[] not null,
  -- null: unknown
  duration_us bigint,
  ttft_ms double precision,
  input_tokens bigint,
  output_tokens bigint,
  cached_tokens bigint,
  cache_write_tokens bigint,
  reasoning_tokens bigint,
  -- null on a span with tokens: no price is known
  cost_usd double precision,
  cache_savings_usd double precision,
  provided_cost_usd double precision,
  pricing_source text,
  flags text[] not null,
  -- where its payload stands: a block, and the place in it
  payload_id uuid,
  payload_no smallint,
  primary key (workspace_id, start_time, trace_id, span_id)
);
create index events_by_trace on events (workspace_id, trace_id);
create index events_executions on events (workspace_id, tool_name, input_hash, start_time desc)
  where tool_name is not null and not served and status <> 'error';

-- Everything of a span that only the view of one event shows, apart from events, so that no list ever reads it. Up to 64 spans
-- of one request share a block: compressing them together is an order of magnitude cheaper than one by one, and smaller.
create table payload_blocks (
  workspace_id uuid not null,
  id uuid not null,
  -- the latest start of its spans, so that a block never goes before its events
  start_time timestamptz not null,
  -- zstd of a JSON array: attributes, resource, scope, events, links and the content that the workspace's mode lets be kept
  body bytea not null,
  primary key (workspace_id, id, start_time)
);
create index payload_blocks_by_start on payload_blocks (workspace_id, start_time);
alter table payload_blocks alter column body set storage external;

-- Stored tool results: the AES-GCM triple as the customer encrypted it. The service has no key.
create table tool_results (
  workspace_id uuid not null,
  start_time timestamptz not null,
  trace_id bytea not null,
  span_id bytea not null,
  ciphertext bytea not null,
  iv bytea not null,
  tag bytea not null,
  primary key (workspace_id, start_time, trace_id, span_id)
);
alter table tool_results alter column ciphertext set storage external;

create table traces (
  workspace_id uuid not null,
  trace_id bytea not null,
  start_time timestamptz not null,
  end_time timestamptz not null,
  -- name and agent come from the root span, or the earliest while none has arrived
  has_root boolean not null,
  name text not null,
  name_start_time timestamptz not null,
  agent_id uuid not null,
  session_id text,
  user_id text,
  span_count bigint not null,
  llm_calls bigint not null,
  tool_calls bigint not null,
  served_calls bigint not null,
  holdout_calls bigint not null,
  error_count bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  -- null while no counted call has a price
  cost_usd double precision,
  unpriced_calls bigint not null,
  models text[] not null,
  tools text[] not null,
  duration_us bigint generated always as (
    (extract(epoch from end_time - start_time) * 1000000)::bigint
  ) stored,
  settled boolean not null,
  last_received_at timestamptz not null,
  -- earlier values of start_time, and the transactions that replaced them: a cursor pins a snapshot, and a trace whose
  -- start moved since then is still listed where that snapshot had it
  moved_from timestamptz[] not null default '{}',
  moved_xids xid8[] not null default '{}',
  inserted_xid xid8 not null default pg_current_xact_id(),
  primary key (workspace_id, trace_id)
);
create index traces_by_start on traces (workspace_id, start_time desc, trace_id desc);
create index traces_by_session on traces (workspace_id, session_id, start_time desc) where session_id is not null;
-- what moved since a snapshot: later pages of a list put it back where its first page had it
create index traces_by_move on traces (workspace_id, (moved_xids[cardinality(moved_xids)])) where moved_xids <> '{}';
create index traces_to_settle on traces (last_received_at) where not settled;

-- One row a transaction and workspace, kept for an hour: where the tail finds what was committed since its cursor.
create table commits (
  workspace_id uuid not null,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  events integer not null,
  first_start_time timestamptz not null,
  last_start_time timestamptz not null,
  primary key (workspace_id, xid)
);
create index commits_by_time on commits (at);

-- Outcomes of received spans by the month (UTC) in which they were received.
create table usage_months (
  workspace_id uuid not null,
  month date not null,
  accepted bigint not null default 0,
  dropped_quota bigint not null default 0,
  dropped_agent_cap bigint not null default 0,
  primary key (workspace_id, month)
);

create table usage_days (
  workspace_id uuid not null,
  day date not null,
  stored bigint not null default 0,
  duplicate bigint not null default 0,
  rejected bigint not null default 0,
  dropped_quota bigint not null default 0,
  dropped_agent_cap bigint not null default 0,
  primary key (workspace_id, day)
);

create table usage_rejections (
  workspace_id uuid not null,
  month date not null,
  reason text not null,
  count bigint not null,
  last_seen timestamptz not null,
  example text not null,
  primary key (workspace_id, month, reason)
);
