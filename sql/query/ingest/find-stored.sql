-- Returns which of the keys are already stored, by their numbers (from 1). One index look-up for each key: for a join, the planner might
-- read all events. The key is also given as a range, which only this index can serve: by the trace index, a span of a large trace would be
-- searched among all its spans. Without statistics of a table or a workspace, the planner might consider another index that begins with the
-- workspace as good and read the whole workspace for each key; the order prevents that, since that plan would have to sort. $5 and $6, the
-- first and the last start, exclude chunks of other times.
-- index: events_pkey
select string_agg(k.place::text, ',') as places
from unnest($1::uuid[], $2::timestamptz[], $3::bytea[], $4::bytea[]) with ordinality
  as k (workspace_id, start_time, trace_id, span_id, place)
where (
  select true from events e
  where e.workspace_id = k.workspace_id and e.start_time = k.start_time
    and e.start_time >= $5 and e.start_time <= $6
    and (e.start_time, e.trace_id, e.span_id) >= (k.start_time, k.trace_id, k.span_id)
    and (e.start_time, e.trace_id, e.span_id) <= (k.start_time, k.trace_id, k.span_id)
  order by e.workspace_id, e.start_time, e.trace_id, e.span_id
  limit 1
)
