-- One page of events, newest first, below the last one of the page before ($10 to $12).
-- index: events_pkey
select
  e.start_time, e.start_time::text as start_key, encode(e.trace_id, 'hex') as trace_id, encode(e.span_id, 'hex') as span_id,
  encode(e.parent_span_id, 'hex') as parent_span_id, e.agent_id, coalesce(a.name, 'unknown') as agent_name, e.session_id,
  e.kind, e.name, e.status, e.error_type, e.error_message, e.model, e.provider, e.tool_name, e.tool_call_id, e.input_hash,
  e.attested, e.served, e.holdout, e.decision_id, e.ttft_ms, e.duration_us,
  e.start_time + e.duration_us * interval '1 microsecond' as end_time, e.input_tokens, e.output_tokens, e.cached_tokens,
  e.cache_write_tokens, e.reasoning_tokens, e.cost_usd, e.pricing_source, e.flags
from events e
left join agents a on a.workspace_id = e.workspace_id and a.id = e.agent_id
where e.workspace_id = $1 and e.start_time >= $2 and e.start_time < $3
  and ($4::uuid is null or e.agent_id = $4)
  and ($5::bytea is null or e.trace_id = $5)
  and ($6::text is null or e.kind = $6)
  and ($7::text is null or e.status = $7)
  and ($8::text is null or e.model = $8)
  and ($9::text is null or e.tool_name = $9)
  and ($10::timestamptz is null or (e.start_time, e.trace_id, e.span_id) < ($10, $11::bytea, $12::bytea))
order by e.start_time desc, e.trace_id desc, e.span_id desc
limit $13
