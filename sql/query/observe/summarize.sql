-- The totals of a window and its models. Sums are float8: exact up to 2^53, and nothing that a customer sends makes them overflow.
-- index: events_pkey
with scoped as (
  select trace_id, session_id, kind, counted, status, model, duration_us, input_tokens, output_tokens, cached_tokens,
    cache_write_tokens, reasoning_tokens, cost_usd, cache_savings_usd
  from events
  where workspace_id = $1 and start_time >= $2 and start_time < $3 and ($4::uuid is null or agent_id = $4)
), by_model as (
  select coalesce(model, 'unknown') as model,
    count(*) filter (where kind = 'llm') as llm_calls,
    coalesce(sum(input_tokens), 0)::float8 as input_tokens,
    coalesce(sum(output_tokens), 0)::float8 as output_tokens,
    coalesce(sum(cached_tokens), 0)::float8 as cached_tokens,
    coalesce(sum(cost_usd), 0) as cost_usd
  from scoped
  where counted and kind in ('llm', 'embedding')
  group by 1
  order by cost_usd desc, 1
  limit 1000
)
select count(*) as total_events,
  count(*) filter (where kind = 'llm' and counted) as llm_calls,
  count(distinct trace_id) as traces,
  count(distinct session_id) as sessions,
  count(*) filter (where status = 'error') as errors,
  coalesce(sum(input_tokens) filter (where counted), 0)::float8 as input_tokens,
  coalesce(sum(output_tokens) filter (where counted), 0)::float8 as output_tokens,
  coalesce(sum(cached_tokens) filter (where counted), 0)::float8 as cached_tokens,
  coalesce(sum(cache_write_tokens) filter (where counted), 0)::float8 as cache_write_tokens,
  coalesce(sum(reasoning_tokens) filter (where counted), 0)::float8 as reasoning_tokens,
  coalesce(sum(cost_usd) filter (where counted), 0) as cost_usd,
  coalesce(sum(cache_savings_usd) filter (where counted), 0) as estimated_cache_savings_usd,
  coalesce(percentile_cont(0.5) within group (order by duration_us) / 1000, 0) as p50_duration_ms,
  coalesce(percentile_cont(0.95) within group (order by duration_us) / 1000, 0) as p95_duration_ms,
  (select coalesce(jsonb_agg(to_jsonb(by_model) order by cost_usd desc, model), '[]') from by_model) as models
from scoped
