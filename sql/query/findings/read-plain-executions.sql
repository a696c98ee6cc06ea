-- Lists real, unattested calls of a tool ($2) in a window, including failed ones: at most $5, by input and newest first. If there are more,
-- the inputs with the first hashes represent all of them.
-- index: events_calls
select (extract(epoch from e.start_time) * 1000000)::bigint as start_us, coalesce(e.duration_us, 0) as duration_us, e.input_hash,
  e.content_hash, e.status = 'error' as is_error, encode(e.trace_id, 'hex') as trace_id, encode(e.span_id, 'hex') as span_id, e.agent_id,
  e.tool_version
from events e
where e.workspace_id = $1 and e.tool_name = $2 and not e.served and not e.attested and e.kind = 'tool' and e.counted
  and e.input_hash is not null and e.start_time >= $3 and e.start_time < $4
order by e.input_hash, e.start_time desc
limit $5
