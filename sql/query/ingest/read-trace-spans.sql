-- Reads what resolving needs of all spans of the given traces, and what counting needs to find the minutes that lose something. `place`: the
-- position of the trace among those given, from 1. `is_later`: the span was stored after the transaction that inserted the trace. Columns that are usually false or 0 are null instead, which costs
-- least to transfer.
-- index: events_by_trace
select
  due.place, encode(e.span_id, 'hex') as span_id,
  encode(e.parent_span_id, 'hex') as parent_span_id,
  (extract(epoch from e.start_time) * 1000000)::bigint as start_time_us,
  e.kind, e.agent_own, e.agent_fallback, e.session_own, e.user_own, e.tool_name, e.tool_call_id,
  nullif(e.served or e.holdout, false) as is_matched, nullif(e.attested or e.attested_unread, false) as is_attested,
  e.duration_us, e.response_id, e.input_tokens, e.output_tokens,
  e.model, e.request_model, e.input_hash, e.agent_id, a.name as agent_name, nullif(a.provisional and not a.in_settled_trace, false) as agent_unsettled, e.session_id, e.user_id, e.counted, e.agent_unnamed,
  e.scope_name, nullif(e.usage_detail, 0) as usage_detail, nullif(coalesce(e.cached_tokens, 0) + coalesce(e.cache_write_tokens, 0), 0) as cache_tokens,
  nullif(e.status = 'error', false) as is_error, nullif('told_twice' = any (e.flags), false) as told_twice,
  nullif('nested_call' = any (e.flags), false) as nested_call, nullif('id_repeated' = any (e.flags), false) as id_repeated,
  nullif('error_carried' = any (e.flags), false) as error_carried,
  e.reasoning_tokens, e.tool_requests, e.inferred_tools,
  nullif(e.inserted_xid <> due.inserted_xid, false) as is_later
from unnest($1::uuid[], $2::bytea[], $3::xid8[]) with ordinality as due (workspace_id, trace_id, inserted_xid, place)
join events e on e.workspace_id = due.workspace_id and e.trace_id = due.trace_id
join agents a on a.workspace_id = e.workspace_id and a.id = e.agent_id
