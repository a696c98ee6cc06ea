-- Lists at most $8 real executions of a subject that started from $5 to $6 (µs), of the sessions $9 (or traces in hex, where they have no
-- session), in the order of $9, then oldest first. The other parameters and the columns are those of list-unread-executions,
-- which reads in the order of the index and so cannot sort by session.
-- index: events_unread_starts
select (extract(epoch from e.start_time) * 1000000)::bigint as start_us, encode(e.trace_id, 'hex') as trace_id,
  encode(e.span_id, 'hex') as span_id, e.session_id, e.tool_call_id, e.tool_call_id = any (e.read_tool_call_ids) as is_reported_read
from events e
where e.workspace_id = $1 and e.tool_name = $2 and e.attested_unread and not e.served and e.kind = 'tool'
  and e.tool_version is not distinct from $3::text and ($4::uuid is null or e.agent_id = $4) and e.tool_call_id is not null
  and e.start_time >= 'epoch'::timestamptz + $5::bigint * interval '1 microsecond'
  and e.start_time < 'epoch'::timestamptz + $6::bigint * interval '1 microsecond'
  and (e.holdout or $7::bigint is null or e.start_time < 'epoch'::timestamptz + $7::bigint * interval '1 microsecond')
  and coalesce(e.session_id, encode(e.trace_id, 'hex')) = any ($9::text[])
order by array_position($9::text[], coalesce(e.session_id, encode(e.trace_id, 'hex'))), e.start_time, e.trace_id, e.span_id
limit $8
