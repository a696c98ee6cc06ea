-- Decisions and findings: their lists answer from here; what fills them comes with the optimization loop.

create table decisions (
  id uuid primary key,
  workspace_id uuid not null,
  task_type_id uuid,
  type text not null,
  state text not null check (state in ('proposed', 'shadow', 'active', 'disabled')),
  previous_state text,
  tool_name text not null,
  input_hash text,
  agent_id uuid,
  config jsonb not null,
  shadow_samples bigint not null default 0,
  shadow_match_rate double precision,
  cost_delta_usd double precision,
  latency_delta_ms double precision,
  quality_delta double precision,
  score jsonb,
  proposed_at timestamptz,
  shadow_at timestamptz,
  activated_at timestamptz,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create index decisions_by_change on decisions (workspace_id, changed_at desc, id desc);
create index decisions_in_force on decisions (workspace_id, activated_at, id) where state = 'active';

create table findings (
  id uuid primary key,
  workspace_id uuid not null,
  type text not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  status text not null check (status in ('open', 'acknowledged', 'resolved')),
  title text not null,
  detail text not null,
  agent_id uuid,
  tool_name text,
  model text,
  occurrences bigint not null,
  est_monthly_cost_usd double precision,
  evidence jsonb not null,
  decision_id uuid,
  first_seen timestamptz not null,
  last_seen timestamptz not null
);
create index findings_by_last_seen on findings (workspace_id, last_seen desc, id desc);
