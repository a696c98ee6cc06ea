-- Finds the last of a workspace's oldest $3 events that started before $2; no row where none is left. The time is returned as text, since a
-- Date would lose its microseconds.
-- index: events_pkey
select start_time::text as start_time, trace_id, span_id
from (
  select start_time, trace_id, span_id from events
  where workspace_id = $1 and start_time < $2
  order by start_time, trace_id, span_id
  limit $3
) oldest
order by oldest.start_time desc, oldest.trace_id desc, oldest.span_id desc
limit 1
