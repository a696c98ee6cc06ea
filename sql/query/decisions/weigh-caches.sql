-- As measure-caching, for several decisions at once ($2; their tools $3, inputs or nulls $4, agents or nulls $5): what prompt caching
-- did for the calls that were the first to have a result in their prompt, after the newest $8 served calls from $6 to $7 and after the
-- newest $8 real executions that the rule matches.
-- index: events_by_decision, events_attested, events_executions, events_by_trace
with rules as materialized (
  select * from unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[]) r(id, tool_name, input_hash, agent_id)
), results as materialized (
  select d.id, true as is_served, s.*
  from rules d
  cross join lateral (
    select e.start_time, e.trace_id, e.tool_call_id from events e
    where e.workspace_id = $1 and e.decision_id = d.id and e.served and e.tool_call_id is not null
      and e.start_time >= $6 and e.start_time < $7
    order by e.start_time desc, e.trace_id desc, e.span_id desc
    limit $8
  ) s
  union all
  select d.id, false, s.*
  from rules d
  cross join lateral (
    select e.start_time, e.trace_id, e.tool_call_id from events e
    where d.input_hash is null and e.workspace_id = $1 and e.tool_name = d.tool_name and e.kind = 'tool' and e.attested
      and not e.served and e.status <> 'error' and e.tool_call_id is not null
      and (d.agent_id is null or e.agent_id = d.agent_id) and e.start_time >= $6 and e.start_time < $7
    order by e.start_time desc, e.trace_id desc, e.span_id desc
    limit $8
  ) s
  union all
  select d.id, false, s.*
  from rules d
  cross join lateral (
    select e.start_time, e.trace_id, e.tool_call_id from events e
    where e.workspace_id = $1 and e.tool_name = d.tool_name and e.input_hash = d.input_hash and e.kind = 'tool'
      and not e.served and e.status <> 'error' and e.tool_call_id is not null
      and (d.agent_id is null or e.agent_id = d.agent_id) and e.start_time >= $6 and e.start_time < $7
    order by e.start_time desc, e.trace_id desc, e.span_id desc
    limit $8
  ) s
)
select r.id, r.is_served, m.model, count(*)::int as calls, sum(m.input_tokens)::float8 as input_tokens,
  sum(m.cache_savings_usd) as savings_usd
from results r
cross join lateral (
  select m.model, m.input_tokens, m.cache_savings_usd from events m
  where m.workspace_id = $1 and m.trace_id = r.trace_id and m.kind = 'llm' and m.start_time >= r.start_time
    and m.consumed_tool_call_ids @> array[r.tool_call_id]
  order by m.start_time, m.span_id
  limit 1
) m
where m.model is not null and m.input_tokens > 0 and m.cache_savings_usd is not null
group by 1, 2, 3
order by 1, 2, 3
