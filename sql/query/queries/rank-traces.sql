-- Lists one page of the traces of a window, largest first by the measure $12, below the last one of the page before ($13, $14). If the
-- filters need only columns of the index, only the rows of the page are read.
-- index: traces_by_start, traces_pkey
with ranked as (
  select trace_id, case $12::text when 'cost_usd' then coalesce(cost_usd, '-infinity') else duration_us::float8 end as rank
  from traces
  where workspace_id = $1 and start_time >= $2 and start_time < $3
    and ($4::uuid is null or agent_id = $4)
    and ($5::text is null or session_id = $5)
    and ($6::boolean is null or (error_count > 0) = $6)
    and ($7::text is null or $7 = any(models))
    and ($8::text is null or $8 = any(tools))
    and ($9::float8 is null or duration_us >= $9 * 1000)
    and ($10::float8 is null or cost_usd >= $10)
    and ($11::boolean is null or (served_calls > 0) = $11)
), page as (
  select rank, trace_id
  from ranked
  where $13::text is null or (rank, trace_id) < ($13::float8, $14::bytea)
  order by rank desc, trace_id desc
  limit $15
)
select page.rank::text as rank_key,
  encode(t.trace_id, 'hex') as trace_id, t.name, t.agent_id,
  coalesce((select a.name from agents a where a.workspace_id = t.workspace_id and a.id = t.agent_id), 'unknown') as agent_name,
  t.session_id, t.user_id, t.start_time, t.end_time, t.duration_us, t.span_count, t.llm_calls, t.tool_calls, t.served_calls,
  t.holdout_calls, t.error_count, t.input_tokens, t.output_tokens, t.cached_tokens, t.cache_write_tokens, t.cost_usd,
  t.unpriced_calls, t.models, t.tools, t.settled
from page
join traces t on t.workspace_id = $1 and t.trace_id = page.trace_id
order by page.rank desc, page.trace_id desc
