-- Reads a workspace's plan and what it has accepted this month, by the clock of the database. Its actor starts from these values.
-- index: usage_months_pkey
select
  w.plan,
  coalesce(u.accepted, 0) as accepted,
  (extract(epoch from m.first_day + interval '1 month' - (now() at time zone 'UTC')) * 1000)::float8 as month_ends_in_ms
from workspaces w
cross join (select date_trunc('month', now() at time zone 'UTC') as first_day) m
left join usage_months u on u.workspace_id = w.id and u.month = m.first_day::date
where w.id = $1 and w.deleted_at is null
