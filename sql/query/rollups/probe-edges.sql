-- Returns for parts of minutes, from $2 to $3 of the minute that begins at $4, all in Unix milliseconds: whether the minute has events
-- outside the part, and how many are in it, up to $5. The rows have the order of the arguments.
-- index: events_pkey
select
  exists (select from events where workspace_id = $1 and start_time >= e.minute and start_time < e.from_time)
    or exists (select from events where workspace_id = $1 and start_time >= e.to_time and start_time < e.minute + interval '1 minute') as cut,
  (select count(*) from (
    select from events where workspace_id = $1 and start_time >= e.from_time and start_time < e.to_time limit $5
  ) counted) as events
from (
  select nth, to_timestamp(from_ms / 1000.0) as from_time, to_timestamp(to_ms / 1000.0) as to_time, to_timestamp(minute_ms / 1000.0) as minute
  from unnest($2::float8[], $3::float8[], $4::float8[]) with ordinality as edge (from_ms, to_ms, minute_ms, nth)
) e
order by nth
