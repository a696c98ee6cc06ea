-- One event with its payload. The same ids may have been sent with two start times: the earliest answers.
-- index: events_by_trace
select
  e.start_time, e.start_time::text as start_key, encode(e.trace_id, 'hex') as trace_id, encode(e.span_id, 'hex') as span_id,
  encode(e.parent_span_id, 'hex') as parent_span_id, e.agent_id, coalesce(a.name, 'unknown') as agent_name, e.session_id,
  e.kind, e.name, e.status, e.error_type, e.error_message, e.model, e.provider, e.tool_name, e.tool_call_id, e.input_hash,
  e.attested, e.served, e.holdout, e.decision_id, e.ttft_ms, e.duration_us,
  e.start_time + e.duration_us * interval '1 microsecond' as end_time, e.input_tokens, e.output_tokens, e.cached_tokens,
  e.cache_write_tokens, e.reasoning_tokens, e.cost_usd, e.pricing_source, e.flags,
  p.body, e.payload_no, octet_length(r.ciphertext) as ciphertext_bytes, e.key_id
from events e
left join agents a on a.workspace_id = e.workspace_id and a.id = e.agent_id
left join payload_blocks p on p.workspace_id = e.workspace_id and p.id = e.payload_id
left join tool_results r on r.workspace_id = e.workspace_id and r.start_time = e.start_time
  and r.trace_id = e.trace_id and r.span_id = e.span_id
where e.workspace_id = $1 and e.trace_id = $2 and e.span_id = $3
order by e.start_time
limit 1
