-- Returns which of the traces are stored, by their numbers (from 1). One index look-up for each trace: for a join, the planner might read
-- all traces.
-- index: traces_pkey
select k.place::integer
from unnest($1::uuid[], $2::bytea[]) with ordinality as k (workspace_id, trace_id, place)
where (
  select true from traces t where t.workspace_id = k.workspace_id and t.trace_id = k.trace_id limit 1
)
