-- Lists the outcomes of received spans by day, from $2 to before $3; days without spans have no row.
-- index: usage_days_pkey
select day, stored, duplicate, rejected, dropped_quota, dropped_agent_cap
from usage_days
where workspace_id = $1 and day >= $2 and day < $3
order by day
