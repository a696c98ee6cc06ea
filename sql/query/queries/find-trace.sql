-- Reads one trace.
-- index: traces_pkey
select
  encode(t.trace_id, 'hex') as trace_id, t.name, t.agent_id, coalesce(a.name, 'unknown') as agent_name, t.session_id,
  t.user_id, t.start_time, t.end_time, t.duration_us, t.span_count, t.llm_calls, t.tool_calls, t.served_calls, t.holdout_calls,
  t.error_count, t.input_tokens, t.output_tokens, t.cached_tokens, t.cache_write_tokens, t.cost_usd, t.unpriced_calls,
  t.models, t.tools, t.settled
from traces t
left join agents a on a.workspace_id = t.workspace_id and a.id = t.agent_id
where t.workspace_id = $1 and t.trace_id = $2
