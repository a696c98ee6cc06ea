-- Lists and locks traces that have been quiet for $1 milliseconds, oldest first. Skipped are traces that another process settles, and those
-- of $3 and $4, which have failed before. The workspaces are locked too: otherwise a purge would hold the workspace and wait for the trace,
-- while settling holds the trace and waits for the workspace. Traces of a deleted workspace are left to the purge.
-- index: traces_to_settle
select t.workspace_id, t.trace_id, t.span_count, t.inserted_xid::text as inserted_xid, extract(epoch from now() - t.last_received_at) * 1000 as quiet_ms
from traces t
-- Looked up one by one, in the order of the index: a plan with a sort would read all due traces on each call.
cross join lateral (
  select from workspaces w where w.id = t.workspace_id and w.deleted_at is null for key share skip locked
) held
where not t.settled and t.last_received_at <= now() - $1 * interval '1 millisecond'
  and not exists (
    select from unnest($3::uuid[], $4::bytea[]) as skipped (workspace_id, trace_id)
    where skipped.workspace_id = t.workspace_id and skipped.trace_id = t.trace_id
  )
order by t.last_received_at
limit $2
for update of t skip locked
