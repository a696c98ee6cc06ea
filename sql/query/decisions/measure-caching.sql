-- What prompt caching did for the calls that were the first to have a result in their prompt, by model: after the newest $8 served
-- calls of a decision ($2) and after the newest $8 real executions that it matches, in a phase ($6 to $7, µs). Only calls whose cache
-- counts are known and priced. `beyond_usd`: what of it was won on tokens behind the prompt and answer before the result, so on the
-- result itself: that is lost where another content stands there.
-- $3 tool, $4 input or null, $5 agent or null
-- index: events_by_decision, events_executions, events_by_trace
with results as materialized (
  (
    select true as is_served, e.start_time, e.trace_id, e.tool_call_id
    from events e
    where e.workspace_id = $1 and e.decision_id = $2 and e.served and e.tool_call_id is not null
      and e.start_time >= 'epoch'::timestamptz + $6::bigint * interval '1 microsecond'
      and e.start_time < 'epoch'::timestamptz + $7::bigint * interval '1 microsecond'
    order by e.start_time desc, e.trace_id desc, e.span_id desc
    limit $8
  )
  union all
  (
    select false, e.start_time, e.trace_id, e.tool_call_id
    from events e
    where e.workspace_id = $1 and e.tool_name = $3 and e.kind = 'tool' and not e.served and e.status <> 'error'
      and e.tool_call_id is not null
      and ($4::text is null or e.input_hash = $4)
      and ($5::uuid is null or e.agent_id = $5)
      and e.start_time >= 'epoch'::timestamptz + $6::bigint * interval '1 microsecond'
      and e.start_time < 'epoch'::timestamptz + $7::bigint * interval '1 microsecond'
    order by e.start_time desc, e.trace_id desc, e.span_id desc
    limit $8
  )
)
select r.is_served, m.model, count(*) as calls, sum(m.input_tokens)::bigint as input_tokens, sum(m.cache_savings_usd) as savings_usd,
  count(p.known) as estimated_calls,
  coalesce(sum(m.cache_savings_usd * greatest(0, m.cached_tokens - p.known) / m.cached_tokens)
    filter (where m.cached_tokens > 0 and m.cache_savings_usd > 0), 0) as beyond_usd
from results r
cross join lateral (
  select m.model, m.start_time, m.input_tokens, m.cached_tokens, m.cache_savings_usd
  from events m
  where m.workspace_id = $1 and m.trace_id = r.trace_id and m.kind = 'llm' and m.start_time >= r.start_time
    and m.consumed_tool_call_ids @> array[r.tool_call_id]
  order by m.start_time, m.span_id
  limit 1
) m
left join lateral (
  select coalesce(b.input_tokens, 0) + coalesce(b.output_tokens, 0) as known
  from events b
  where b.workspace_id = $1 and b.trace_id = r.trace_id and b.kind = 'llm' and b.start_time < r.start_time
  order by b.start_time desc, b.span_id desc
  limit 1
) p on true
where m.model is not null and m.input_tokens > 0 and m.cache_savings_usd is not null
group by 1, 2
order by 1, 2
