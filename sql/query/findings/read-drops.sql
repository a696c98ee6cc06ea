-- Reads the numbers of dropped spans, by the day (UTC) on which they arrived, from the day $2 on. `has_rules`: the workspace has an active
-- rule now.
-- scope: $1
-- index: usage_days_pkey
select day::text as day, dropped_quota, dropped_agent_cap,
  exists (select from decisions d where d.workspace_id = $1 and d.state = 'active') as has_rules
from usage_days
where workspace_id = $1 and day >= $2::date and (dropped_quota > 0 or dropped_agent_cap > 0)
order by day
