-- Traces that have been quiet for $1 milliseconds, oldest first, locked; those that another process settles are passed over.
-- index: traces_to_settle
select workspace_id, trace_id, span_count, extract(epoch from now() - last_received_at) * 1000 as quiet_ms
from traces
where not settled and last_received_at <= now() - $1 * interval '1 millisecond'
order by last_received_at
limit $2
for update skip locked
