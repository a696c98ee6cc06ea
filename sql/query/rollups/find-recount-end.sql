-- Finds the start of the event that is $4 events after the first one from $2 to $3 (all in Unix seconds); no row where there are fewer.
-- index: events_pkey
select extract(epoch from start_time)::float8 as start_s
from events
where workspace_id = $1 and start_time >= to_timestamp($2) and start_time < to_timestamp($3)
order by start_time
offset $4
limit 1
