-- Marks the given traces as settled. Their numbers are right as they are.
-- index: traces_pkey
update traces t set settled = true
from unnest($1::uuid[], $2::bytea[]) as due (workspace_id, trace_id)
where t.workspace_id = due.workspace_id and t.trace_id = due.trace_id
