-- Lists one page of the spans of a trace in the order of their starts, after the last one of the page before ($3, $4). All spans start between
-- $6 and $7; the range excludes chunks.
-- index: events_by_trace
select
  e.start_time, e.start_time::text as start_key, encode(e.trace_id, 'hex') as trace_id, encode(e.span_id, 'hex') as span_id,
  encode(e.parent_span_id, 'hex') as parent_span_id, e.agent_id,
  coalesce((select a.name from agents a where a.workspace_id = e.workspace_id and a.id = e.agent_id), 'unknown') as agent_name,
  e.session_id, e.kind, e.name, e.status, e.error_type, e.error_message, e.model, e.provider, e.tool_name, e.tool_call_id,
  e.input_hash, e.tool_version, e.scope_hash, e.attested, e.attested_unread, e.read_only, e.served, e.holdout, e.decision_id, e.ttft_ms, e.duration_us,
  e.start_time + e.duration_us * interval '1 microsecond' as end_time, e.input_tokens, e.output_tokens, e.cached_tokens,
  e.cache_write_tokens, e.reasoning_tokens, e.cost_usd, e.provided_cost_usd, e.pricing_source, e.flags
from events e
where e.workspace_id = $1 and e.trace_id = $2 and e.start_time >= $6 and e.start_time < $7
  and ($3::timestamptz is null or (e.start_time, e.span_id) > ($3, $4::bytea))
order by e.start_time, e.span_id
limit $5
