-- Lists the newest $4 calls that a decision ($2) held out since $3 (µs), newest first. `is_reported_read`: the sender says that others
-- than the model may receive the result.
-- index: events_by_decision
select (extract(epoch from e.start_time) * 1000000)::bigint as start_us, encode(e.trace_id, 'hex') as trace_id,
  encode(e.span_id, 'hex') as span_id, e.session_id, e.tool_call_id, e.tool_call_id = any (e.read_tool_call_ids) as is_reported_read
from events e
where e.workspace_id = $1 and e.decision_id = $2 and e.holdout and not e.served and e.kind = 'tool' and e.tool_call_id is not null
  and e.start_time >= 'epoch'::timestamptz + $3::bigint * interval '1 microsecond'
order by e.start_time desc, e.trace_id desc, e.span_id desc
limit $4
