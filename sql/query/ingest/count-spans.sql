-- Counts the stored spans of the given traces, of each up to $3, in the order of the traces.
-- index: events_by_trace
select (
  select count(*)
  from (select from events e where e.workspace_id = due.workspace_id and e.trace_id = due.trace_id limit $3) counted
)::integer as spans
from unnest($1::uuid[], $2::bytea[]) with ordinality as due (workspace_id, trace_id, place)
order by place
