-- What the optimization loop keeps: the audit trail of decisions, kinds of tasks, where it stands, and the subjects of findings.
-- Trials and measurements are no tables: they are derived from events by query.

-- A tool result's owner may have said how good the answer was: the mean score of the evaluations that a span carries.
alter table events add column quality_score double precision;

-- What the customer lets be stored and used again; few tools, so the index is small.
create index events_attested on events (workspace_id, tool_name, start_time desc)
  where attested and not served and status <> 'error';
-- Calls that say which tool results stood in their prompt.
create index events_consuming on events (workspace_id, start_time desc) where consumed_tool_call_ids <> '{}';
create index events_by_decision on events (workspace_id, decision_id, start_time desc) where decision_id is not null;
create index events_scored on events (workspace_id, trace_id) where quality_score is not null;

-- Proposed decisions go to shadow by themselves unless the workspace wants to approve them.
alter table workspaces add column approves_decisions boolean not null default false;

alter table decisions
  -- where the sequence that watches an active decision began last
  add column watch_from timestamptz,
  add column measured_at timestamptz;
-- One living decision a subject.
create unique index decisions_by_subject on decisions (workspace_id, type, tool_name, input_hash, agent_id) nulls not distinct
  where state <> 'disabled';
create index decisions_disabled on decisions (workspace_id, type, tool_name, input_hash, disabled_at desc) where state = 'disabled';
create index decisions_to_measure on decisions (workspace_id, measured_at nulls first, id) where state <> 'disabled';

create table decision_transitions (
  id uuid primary key,
  workspace_id uuid not null,
  decision_id uuid not null,
  -- null: it was proposed
  from_state text,
  to_state text not null,
  actor text not null check (actor in ('gate', 'user')),
  user_id uuid,
  reason text,
  -- what had been measured when it moved
  measures jsonb,
  at timestamptz not null default clock_timestamp()
);
create index decision_transitions_by_decision on decision_transitions (workspace_id, decision_id, at, id);
create trigger decision_transitions_append_only before update or delete on decision_transitions
  for each row execute function refuse_change();

-- One id a kind of task: what `tracewright.task_type` names.
create table task_types (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  primary key (workspace_id, id),
  unique (workspace_id, name)
);

-- How far the loop has looked through the events of a workspace.
create table optimizer_progress (
  workspace_id uuid primary key,
  proposed_until timestamptz,
  found_at timestamptz
);

alter table findings
  -- what it is about, in a form of its type's own: one living finding a subject
  add column subject text,
  add column resolved_at timestamptz;
update findings set subject = id::text;
alter table findings alter column subject set not null;
create unique index findings_by_subject on findings (workspace_id, type, subject) where status <> 'resolved';
