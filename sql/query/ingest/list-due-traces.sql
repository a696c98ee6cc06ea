-- Traces that have been quiet for $1 milliseconds, oldest first, locked; those that another process settles are passed over,
-- and so are $3 and $4, which have failed before.
-- index: traces_to_settle
select workspace_id, trace_id, span_count, extract(epoch from now() - last_received_at) * 1000 as quiet_ms
from traces
where not settled and last_received_at <= now() - $1 * interval '1 millisecond'
  and not exists (
    select from unnest($3::uuid[], $4::bytea[]) as skipped (workspace_id, trace_id)
    where skipped.workspace_id = traces.workspace_id and skipped.trace_id = traces.trace_id
  )
order by last_received_at
limit $2
for update of traces skip locked
