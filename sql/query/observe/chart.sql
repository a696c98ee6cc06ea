-- The points of a time series that are not empty, by bucket ($5: its length, $6: the time zone that cuts days) and by key
-- ($9: what to group by). The $10 largest keys stand alone, by cost for models and else by events; the others, and any
-- that is itself called other, make up `other`. By model only model calls are counted, by tool only tool calls.
-- index: events_pkey
with scoped as (
  select
    case when $5::interval = interval '1 day'
      then date_trunc('day', start_time at time zone $6::text) at time zone $6::text
      else date_bin($5::interval, start_time, timestamptz '1970-01-01 00:00:00+00')
    end as bucket,
    case $9::text
      when 'agent' then agent_id::text
      when 'model' then coalesce(model, 'unknown')
      when 'tool' then coalesce(tool_name, 'unknown')
      when 'kind' then kind
      else 'all'
    end as key,
    trace_id, kind, counted, served, status, duration_us, input_tokens, output_tokens, cached_tokens, cache_write_tokens, cost_usd
  from events
  where workspace_id = $1 and start_time >= $2 and start_time < $3
    and ($4::uuid is null or agent_id = $4)
    and ($7::text is null or kind = $7)
    and ($8::text is null or model = $8)
    and ($9 <> 'model' or kind in ('llm', 'embedding'))
    and ($9 <> 'tool' or kind = 'tool')
), largest as (
  select key
  from scoped
  where key <> 'other'
  group by key
  order by case when $9 = 'model' then coalesce(sum(cost_usd) filter (where counted), 0) else count(*) end desc, key
  limit $10
), points as (
  select s.bucket, l.key,
    count(*) as events,
    count(*) filter (where s.kind = 'llm' and s.counted) as llm_calls,
    count(*) filter (where s.kind = 'tool' and s.counted) as tool_calls,
    count(*) filter (where s.kind = 'tool' and s.counted and s.served) as served_calls,
    count(*) filter (where s.status = 'error') as errors,
    coalesce(sum(s.input_tokens) filter (where s.counted), 0)::float8 as input_tokens,
    coalesce(sum(s.output_tokens) filter (where s.counted), 0)::float8 as output_tokens,
    coalesce(sum(s.cached_tokens) filter (where s.counted), 0)::float8 as cached_tokens,
    coalesce(sum(s.cost_usd) filter (where s.counted), 0) as cost_usd,
    coalesce(percentile_cont(0.5) within group (order by s.duration_us) / 1000, 0) as p50_duration_ms,
    coalesce(percentile_cont(0.95) within group (order by s.duration_us) / 1000, 0) as p95_duration_ms,
    count(distinct s.trace_id) as traces,
    coalesce(sum(s.cache_write_tokens) filter (where s.counted), 0)::float8 as cache_write_tokens
  from scoped s
  left join largest l on l.key = s.key
  group by 1, 2
)
select p.*, a.name as agent_name
from points p
left join agents a on a.workspace_id = $1 and a.id = case when $9 = 'agent' then p.key::uuid end
order by p.key, p.bucket
