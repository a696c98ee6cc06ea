-- Adds a group's outcomes to the day, in workspace order so that rivals cannot deadlock.
insert into usage_days as d (workspace_id, day, stored, duplicate, rejected, dropped_quota, dropped_agent_cap)
select workspace_id, (now() at time zone 'UTC')::date, stored, duplicate, rejected, dropped_quota, dropped_agent_cap
from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
  as added (workspace_id, stored, duplicate, rejected, dropped_quota, dropped_agent_cap)
order by workspace_id
on conflict (workspace_id, day) do update set
  stored = d.stored + excluded.stored,
  duplicate = d.duplicate + excluded.duplicate,
  rejected = d.rejected + excluded.rejected,
  dropped_quota = d.dropped_quota + excluded.dropped_quota,
  dropped_agent_cap = d.dropped_agent_cap + excluded.dropped_agent_cap
