-- Lists the next $6 events from $2 to $3 in the order of their keys, after the one with the key ($2, $4, $5). Times are in microseconds.
-- index: events_pkey
select
  (extract(epoch from start_time) * 1000000)::bigint as start_us, trace_id, session_id, agent_id, kind, model, tool_name, input_hash,
  counted, status = 'error' and not 'error_carried' = any (flags) as error, 'unpriced' = any (flags) as unpriced, served, holdout,
  duration_us, input_tokens, output_tokens, cached_tokens, cache_write_tokens,
  reasoning_tokens, cost_usd, cache_savings_usd, inferred_tools, span_id
from events
where workspace_id = $1
  and start_time >= 'epoch'::timestamptz + $2::bigint * interval '1 microsecond'
  and start_time < 'epoch'::timestamptz + $3::bigint * interval '1 microsecond'
  and (start_time, trace_id, span_id) > ('epoch'::timestamptz + $2::bigint * interval '1 microsecond', $4::bytea, $5::bytea)
order by start_time, trace_id, span_id
limit $6
