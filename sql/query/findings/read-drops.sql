-- Reads the numbers of dropped spans, by the day (UTC) on which they arrived, from the day $2 on.
-- index: usage_days_pkey
select day::text as day, dropped_quota, dropped_agent_cap
from usage_days
where workspace_id = $1 and day >= $2::date and (dropped_quota > 0 or dropped_agent_cap > 0)
order by day
