-- What counting needs of the rows that were stored, by workspace; as rollups/read-facts gives it.
select
  s.workspace_id, (extract(epoch from s.start_time) * 1000000)::bigint as start_us, s.trace_id, s.session_id, a.id as agent_id, s.kind,
  s.model, s.tool_name, s.input_hash, s.counted, s.status = 'error' as error, s.served, s.holdout, s.duration_us, s.input_tokens,
  s.output_tokens, s.cached_tokens, s.cache_write_tokens, s.reasoning_tokens, s.cost_usd, s.cache_savings_usd
from stage s
join agents a on a.workspace_id = s.workspace_id and a.name = s.agent_name
