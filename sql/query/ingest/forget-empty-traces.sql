-- Deletes those of the given traces, which the caller has locked, that have no span.
-- index: events_by_trace
delete from traces t
using unnest($1::uuid[], $2::bytea[]) as due (workspace_id, trace_id)
where t.workspace_id = due.workspace_id and t.trace_id = due.trace_id
  and not exists (select from events e where e.workspace_id = due.workspace_id and e.trace_id = due.trace_id)
