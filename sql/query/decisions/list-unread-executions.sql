-- Lists at most $8 real executions of a subject that started from $5 to $6 (µs), oldest first. Failed ones are included, since their error
-- may be read too. $2 tool, $3 version or null, $4 agent or null, $7: from this time on (µs, or null) only held-out ones.
-- `is_reported_read`: the sender says that others than the model may receive the result.
-- index: events_unread_starts
select (extract(epoch from e.start_time) * 1000000)::bigint as start_us, encode(e.trace_id, 'hex') as trace_id,
  encode(e.span_id, 'hex') as span_id, e.session_id, e.tool_call_id, e.tool_call_id = any (e.read_tool_call_ids) as is_reported_read
from events e
where e.workspace_id = $1 and e.tool_name = $2 and e.attested_unread and not e.served and e.kind = 'tool'
  and e.tool_version is not distinct from $3::text and ($4::uuid is null or e.agent_id = $4) and e.tool_call_id is not null
  and e.start_time >= 'epoch'::timestamptz + $5::bigint * interval '1 microsecond'
  and e.start_time < 'epoch'::timestamptz + $6::bigint * interval '1 microsecond'
  and (e.holdout or $7::bigint is null or e.start_time < 'epoch'::timestamptz + $7::bigint * interval '1 microsecond')
order by e.start_time, e.trace_id, e.span_id
limit $8
