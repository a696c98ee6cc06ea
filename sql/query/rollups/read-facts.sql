-- Reads the events of a window with all data that counting needs, in no order; at most $4, null for all. Times are in microseconds.
-- index: events_pkey
select
  (extract(epoch from start_time) * 1000000)::bigint as start_us, trace_id, session_id, agent_id, kind, model, tool_name, input_hash,
  counted, status = 'error' and not 'error_carried' = any (flags) as error, 'unpriced' = any (flags) as unpriced, served, holdout,
  duration_us, input_tokens, output_tokens, cached_tokens, cache_write_tokens,
  reasoning_tokens, cost_usd, cache_savings_usd, inferred_tools
from events
where workspace_id = $1 and start_time >= $2 and start_time < $3
limit $4
