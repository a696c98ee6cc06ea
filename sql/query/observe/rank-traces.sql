-- One page of the traces of a window by what $12 names, largest first, below the last one of the page before ($13, $14).
-- index: traces_by_start
with ranked as (
  select t.*, case $12::text when 'cost_usd' then coalesce(t.cost_usd, '-infinity') else t.duration_us::float8 end as rank
  from traces t
  where t.workspace_id = $1 and t.start_time >= $2 and t.start_time < $3
    and ($4::uuid is null or t.agent_id = $4)
    and ($5::text is null or t.session_id = $5)
    and ($6::boolean is null or (t.error_count > 0) = $6)
    and ($7::text is null or $7 = any(t.models))
    and ($8::text is null or $8 = any(t.tools))
    and ($9::float8 is null or t.duration_us >= $9 * 1000)
    and ($10::float8 is null or t.cost_usd >= $10)
    and ($11::boolean is null or (t.served_calls > 0) = $11)
)
select t.rank::text as rank_key,
  encode(t.trace_id, 'hex') as trace_id, t.name, t.agent_id, coalesce(a.name, 'unknown') as agent_name, t.session_id,
  t.user_id, t.start_time, t.end_time, t.duration_us, t.span_count, t.llm_calls, t.tool_calls, t.served_calls, t.holdout_calls,
  t.error_count, t.input_tokens, t.output_tokens, t.cached_tokens, t.cache_write_tokens, t.cost_usd, t.unpriced_calls,
  t.models, t.tools, t.settled
from ranked t
left join agents a on a.workspace_id = t.workspace_id and a.id = t.agent_id
where $13::text is null or (t.rank, t.trace_id) < ($13::float8, $14::bytea)
order by t.rank desc, t.trace_id desc
limit $15
