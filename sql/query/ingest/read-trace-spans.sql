-- Reads what resolving needs of all spans of the given traces, and what counting needs to find the minutes that lose something.
-- index: events_by_trace
select
  e.workspace_id, encode(e.trace_id, 'hex') as trace_id, encode(e.span_id, 'hex') as span_id,
  encode(e.parent_span_id, 'hex') as parent_span_id,
  (extract(epoch from e.start_time) * 1000000)::bigint as start_time_us,
  e.kind, e.agent_own, e.agent_fallback, e.session_own, e.user_own, e.tool_name, e.tool_call_id,
  e.served or e.holdout as is_matched, e.attested or e.attested_unread as is_attested,
  e.input_tokens is not null or e.output_tokens is not null as has_usage,
  e.duration_us, e.response_id, e.input_tokens, e.output_tokens,
  e.model, e.request_model, e.input_hash, e.agent_id, a.name as agent_name, a.provisional and not a.in_settled_trace as agent_unsettled, e.session_id, e.user_id, e.counted, e.agent_unnamed,
  e.scope_name, coalesce(e.usage_detail, 0) as usage_detail, coalesce(e.cached_tokens, 0) + coalesce(e.cache_write_tokens, 0) as cache_tokens, e.status = 'error' as is_error, 'told_twice' = any (e.flags) as told_twice,
  'nested_call' = any (e.flags) as nested_call, 'id_repeated' = any (e.flags) as id_repeated, 'error_carried' = any (e.flags) as error_carried,
  e.reasoning_tokens, e.tool_requests, e.inferred_tools
from unnest($1::uuid[], $2::bytea[]) as due (workspace_id, trace_id)
join events e on e.workspace_id = due.workspace_id and e.trace_id = due.trace_id
join agents a on a.workspace_id = e.workspace_id and a.id = e.agent_id
