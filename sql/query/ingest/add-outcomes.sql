-- Adds a group's outcomes to the month and the day, in the order of workspaces, which prevents deadlocks, and notes for the tail what this
-- transaction stored. The month comes first, since a workspace with a quota has it locked already.
-- A day counts what was received, so a span that is dropped again ($9, $10) is counted there once more. A month counts each lost span once.
with added as materialized (
  select * from unnest(
    $1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::timestamptz[], $8::timestamptz[],
    $9::bigint[], $10::bigint[]
  ) as s (workspace_id, stored, duplicate, rejected, dropped_quota, dropped_agent_cap, first_start_time, last_start_time, quota_again,
    agent_cap_again)
), days as (
  insert into usage_days as d (workspace_id, day, stored, duplicate, rejected, dropped_quota, dropped_agent_cap)
  select workspace_id, (now() at time zone 'UTC')::date, stored, duplicate, rejected, dropped_quota, dropped_agent_cap
  from added
  order by workspace_id
  on conflict (workspace_id, day) do update set
    stored = d.stored + excluded.stored,
    duplicate = d.duplicate + excluded.duplicate,
    rejected = d.rejected + excluded.rejected,
    dropped_quota = d.dropped_quota + excluded.dropped_quota,
    dropped_agent_cap = d.dropped_agent_cap + excluded.dropped_agent_cap
), noted as (
  insert into commits (workspace_id, events, first_start_time, last_start_time)
  select workspace_id, stored, first_start_time, last_start_time from added where stored > 0
)
insert into usage_months as m (workspace_id, month, accepted, dropped_quota, dropped_agent_cap)
select workspace_id, date_trunc('month', now() at time zone 'UTC')::date, stored, dropped_quota - quota_again,
  dropped_agent_cap - agent_cap_again
from added
order by workspace_id
on conflict (workspace_id, month) do update set
  accepted = m.accepted + excluded.accepted,
  dropped_quota = m.dropped_quota + excluded.dropped_quota,
  dropped_agent_cap = m.dropped_agent_cap + excluded.dropped_agent_cap
