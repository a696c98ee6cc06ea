-- Spans that were dropped, by the day (UTC) that they came on, since a day.
-- index: usage_days_pkey
select day::text as day, dropped_quota, dropped_agent_cap
from usage_days
where workspace_id = $1 and day >= $2::date and (dropped_quota > 0 or dropped_agent_cap > 0)
order by day
