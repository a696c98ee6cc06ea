-- Rollups: what is counted of events by the minute, the hour and the day, so that no chart reads events. Plain tables everywhere:
-- they are small, and removed with the workspace or by whole days.

-- The row of a minute holds what was folded so far. An hour has a row once it is over, a day likewise; until then whoever reads it
-- reads its minutes, its hours. What comes late is added to all that are there.
create table rollups (
  workspace_id uuid not null,
  -- 0 minute, 1 hour, 2 day (UTC)
  tier smallint not null,
  start_time timestamptz not null,
  -- a summary reads this column alone
  total bytea not null,
  -- by agent, kind, model and tool
  cells bytea not null,
  primary key (workspace_id, tier, start_time)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
-- Dense already: compressing them once more would only cost.
alter table rollups alter column total set storage external;
alter table rollups alter column cells set storage external;

-- What transactions that store or settle events add to the rollups: written in the same transaction, read by every read, folded
-- into the rows soon after. Only ever inserted and deleted, so that no writer waits for another.
create table rollup_deltas (
  workspace_id uuid not null,
  id bigint not null generated always as identity,
  at timestamptz not null default clock_timestamp(),
  -- the minutes that it touches lie in here
  from_time timestamptz not null,
  to_time timestamptz not null,
  -- minutes in which something may be distinct no longer: no difference can say so, only their events
  stale_minutes timestamptz[] not null,
  body bytea not null,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05);
alter table rollup_deltas alter column body set storage external;

-- What is to be done to the rollups of a workspace, and when.
create table rollup_work (
  workspace_id uuid not null,
  -- 0 rebuild the window's minutes from its events, 1 sum up the minutes of an hour, 2 the hours of a day
  kind smallint not null,
  start_time timestamptz not null,
  end_time timestamptz not null,
  due_at timestamptz not null,
  asked_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, kind, start_time)
);
create index rollup_work_by_due on rollup_work (due_at);

-- Bytes that could not be read, kept for whoever looks for the reason; their window is rebuilt from events.
create table rollup_damage (
  workspace_id uuid not null,
  id bigint not null generated always as identity,
  found_at timestamptz not null default clock_timestamp(),
  -- delta, minute, hour or day
  source text not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  body bytea not null,
  primary key (workspace_id, id)
);
alter table rollup_damage alter column body set storage external;

-- Events that are there already have no rollups: one window a workspace, worked off from its oldest day on while the service runs.
insert into rollup_work (workspace_id, kind, start_time, end_time, due_at)
select w.id, 0, date_trunc('day', oldest.start_time at time zone 'UTC') at time zone 'UTC', now() + interval '2 days', now()
from workspaces w
cross join lateral (select e.start_time from events e where e.workspace_id = w.id order by e.start_time limit 1) oldest
where w.deleted_at is null;
