-- The insert that decides: a span is stored once, whoever sends it again. In key order, so that rivals cannot deadlock.
-- index: events_pkey
insert into events (
  workspace_id, start_time, trace_id, span_id, parent_span_id, agent_id, agent_own, agent_fallback,
  session_id, session_own, user_id, user_own, kind, counted, operation, name, status, error_type, error_message,
  agent_version, task_type, environment, provider, request_model, model, response_id, finish_reasons,
  tool_name, tool_call_id, input_hash, content_hash, key_id, attested, served, holdout, decision_id,
  consumed_tool_call_ids, read_tool_call_ids, duration_us, ttft_ms, input_tokens, output_tokens, cached_tokens,
  cache_write_tokens, reasoning_tokens, cost_usd, cache_savings_usd, provided_cost_usd, pricing_source, flags,
  payload_id, payload_no
)
select
  s.workspace_id, s.start_time, s.trace_id, s.span_id, s.parent_span_id, a.id, s.agent_own, s.agent_fallback,
  s.session_id, s.session_own, s.user_id, s.user_own, s.kind, s.counted, s.operation, s.name, s.status, s.error_type,
  s.error_message, s.agent_version, s.task_type, s.environment, s.provider, s.request_model, s.model, s.response_id,
  s.finish_reasons, s.tool_name, s.tool_call_id, s.input_hash, s.content_hash, s.key_id, s.attested, s.served, s.holdout,
  s.decision_id, s.consumed_tool_call_ids, s.read_tool_call_ids, s.duration_us, s.ttft_ms, s.input_tokens, s.output_tokens,
  s.cached_tokens, s.cache_write_tokens, s.reasoning_tokens, s.cost_usd, s.cache_savings_usd, s.provided_cost_usd,
  s.pricing_source, s.flags, s.payload_id, s.payload_no
from stage s
join agents a on a.workspace_id = s.workspace_id and a.name = s.agent_name
order by s.workspace_id, s.start_time, s.trace_id, s.span_id
on conflict do nothing
