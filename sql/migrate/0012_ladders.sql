-- Rules are proven by the replay of a serving policy, per agent, tool and version: where each replay stands, and what it has compared.

create table ladders (
  workspace_id uuid not null,
  -- the purge of a workspace goes by primary keys, which hold no nulls
  id uuid not null default gen_random_uuid(),
  tool_name text not null,
  -- null: the tool declares none
  tool_version text,
  -- null: every agent
  agent_id uuid,
  -- null: every input
  input_hash text,
  -- In the first replay, in the order of their starts: executions of transactions before next_xid. Afterwards, in the order of commits:
  -- executions of transactions from next_xid on.
  in_history boolean not null,
  next_xid xid8 not null,
  -- the execution after which to go on: in the first replay of all, afterwards in the transaction next_xid
  after_start timestamptz,
  after_trace bytea,
  after_span bytea,
  invalidated_until timestamptz,
  -- as src/decisions/gate/replay.ts writes it
  state bytea not null,
  primary key (workspace_id, id),
  unique nulls not distinct (workspace_id, tool_name, tool_version, agent_id, input_hash)
);
alter table ladders alter column state set storage external;

-- The newest trials of a decision, at the rung that was shown when they were replayed.
create table decision_trials (
  workspace_id uuid not null,
  decision_id uuid not null,
  start_time timestamptz not null,
  trace_id bytea not null,
  span_id bytea not null,
  candidate_trace_id bytea,
  candidate_span_id bytea,
  -- null: the rule replaces results without any stored one
  age_s double precision,
  matched boolean not null,
  phase text not null check (phase in ('shadow', 'active')),
  primary key (workspace_id, decision_id, start_time, trace_id, span_id)
);

alter table decisions
  -- the age up to which an active rule serves: the rung that it stands on; null: config.freshness_s
  add column served_freshness_s integer,
  -- when `inputs` last changed
  add column inputs_changed_at timestamptz,
  -- results that were executed by then are in doubt and are not served
  add column doubted_until timestamptz,
  -- it gave its place to a subject that is worth more, and may come back
  add column evicted boolean not null default false;

-- Active rules were proven by another measurement: they go back to shadow, and their audit trail says why.
with moved as (
  update decisions set state = 'shadow', previous_state = 'active', shadow_at = now(), changed_at = now(),
    shadow_samples = 0, shadow_match_rate = null, cost_delta_usd = null, latency_delta_ms = null, quality_delta = null, score = null,
    measured_at = null, watch_from = null
  where state = 'active'
  returning workspace_id, id
), told as (
  insert into decision_transitions (id, workspace_id, decision_id, from_state, to_state, actor, reason)
  select gen_random_uuid(), workspace_id, id, 'active', 'shadow', 'gate',
    'the gate now measures what is served at the age at which it is served; the rule was proven by another measurement'
  from moved
)
update workspaces set rules_version = rules_version + 1, rules_changed_at = clock_timestamp()
where id in (select workspace_id from moved);
