-- Which of the keys are stored already, by their places. One look into the index a key: as a join, the planner might read all of
-- events for it. The key is given as a range too, which no other index can serve: by its trace, a span of a large one would be
-- looked for among all of them. The order keeps a planner that knows nothing yet of a table, or of a workspace, from another index
-- that begins with the workspace, which it would take for as good, and would read all of the workspace for each key: there it would
-- have to sort. $5 and $6, the first and the last start, keep chunks of other times out.
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
