-- The $6 largest agents, models, tools or kinds ($5) of a window by $7, and all others as one row without a key.
-- index: events_pkey
with scoped as (
  select
    case $5::text
      when 'agent' then agent_id::text
      when 'model' then coalesce(model, 'unknown')
      when 'tool' then coalesce(tool_name, 'unknown')
      when 'kind' then kind
      else 'all'
    end as key,
    kind, counted, served, status, tool_name, input_hash, duration_us, input_tokens, output_tokens, cached_tokens, cost_usd
  from events
  where workspace_id = $1 and start_time >= $2 and start_time < $3
    and ($4::uuid is null or agent_id = $4)
    and ($5 <> 'model' or kind in ('llm', 'embedding'))
    and ($5 <> 'tool' or kind = 'tool')
), ranked as (
  select key,
    case $7::text
      when 'events' then count(*)
      when 'errors' then count(*) filter (where status = 'error')
      when 'p95_duration_ms' then coalesce(percentile_cont(0.95) within group (order by duration_us), 0)
      else coalesce(sum(cost_usd) filter (where counted), 0)
    end as rank
  from scoped
  group by key
), largest as (
  select key, row_number() over (order by rank desc, key) as place
  from ranked
  order by place
  limit $6
), summed as (
  select l.place, l.key,
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
    count(distinct (s.tool_name, s.input_hash)) filter (where s.input_hash is not null) as distinct_inputs,
    count(*) filter (
      where s.counted and s.kind in ('llm', 'embedding') and s.cost_usd is null
        and coalesce(s.input_tokens, s.output_tokens) is not null
    ) as unpriced_calls
  from scoped s
  left join largest l on l.key = s.key
  group by 1, 2
)
select r.*, a.name as agent_name
from summed r
left join agents a on a.workspace_id = $1 and a.id = case when $5 = 'agent' then r.key::uuid end
order by r.place nulls last
