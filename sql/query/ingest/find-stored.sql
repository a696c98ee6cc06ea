-- Returns which of the keys are already stored, by their numbers (from 1). One index look-up for each key: for a join, the planner might
-- read all events. The rest of the key is a range behind the start, by which the index finds it even among thousands of spans with the same
-- start; a range that began with the start would not be used beside the equal start. The planner might consider the trace index as good, by
-- which a span of a large trace would be searched among all its spans, or, without statistics, another index that begins with the workspace.
-- The order prevents that, since these plans would have to sort. $5 and $6, the first and the last start, exclude chunks of other times.
-- index: events_pkey
select string_agg(k.place::text, ',') as places
from unnest($1::uuid[], $2::timestamptz[], $3::bytea[], $4::bytea[]) with ordinality
  as k (workspace_id, start_time, trace_id, span_id, place)
where (
  select true from events e
  where e.workspace_id = k.workspace_id and e.start_time = k.start_time
    and e.start_time >= $5 and e.start_time <= $6
    and (e.trace_id, e.span_id) >= (k.trace_id, k.span_id)
    and (e.trace_id, e.span_id) <= (k.trace_id, k.span_id)
  order by e.workspace_id, e.start_time, e.trace_id, e.span_id
  limit 1
)
