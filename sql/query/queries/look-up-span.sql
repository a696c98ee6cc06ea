-- Finds the trace of the newest span with an id ($2), among the $3 newest spans of a workspace: no index begins with the id of a span.
-- index: events_pkey
select encode(trace_id, 'hex') as trace_id
from (
  select trace_id, span_id
  from events
  where workspace_id = $1
  order by start_time desc, trace_id desc, span_id desc
  limit $3
) newest
where span_id = $2
limit 1
