-- Adds a group's outcomes to the month, in workspace order so that rivals cannot deadlock.
insert into usage_months as m (workspace_id, month, accepted, dropped_quota, dropped_agent_cap)
select workspace_id, date_trunc('month', now() at time zone 'UTC')::date, accepted, dropped_quota, dropped_agent_cap
from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[]) as added (workspace_id, accepted, dropped_quota, dropped_agent_cap)
order by workspace_id
on conflict (workspace_id, month) do update set
  accepted = m.accepted + excluded.accepted,
  dropped_quota = m.dropped_quota + excluded.dropped_quota,
  dropped_agent_cap = m.dropped_agent_cap + excluded.dropped_agent_cap
