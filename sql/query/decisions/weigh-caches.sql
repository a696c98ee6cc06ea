-- Measures, as measure-caching does, for several decisions at once ($2; their tools $3, versions or nulls $4, agents or nulls $5, inputs or
-- nulls $6) what prompt caching did for the calls that were the first to have a result in their prompt: after the newest $10 served
-- calls from $7 to the last call of each decision ($9), and after the newest $10 real executions that the rule matches in that time. All of
-- these are before $8: a constant, so that later chunks are not opened.
-- However large a trace is, it is read once, in the order of its calls. Each result is given the first call that had it in its prompt
-- (`consumer`), as a text that begins with the time and the span.
-- index: events_by_decision, events_attested, events_unread_starts, events_executions, events_by_trace
with rules as materialized (
  select * from unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[], $9::timestamptz[])
    r(id, tool_name, tool_version, agent_id, input_hash, last_at)
), results as materialized (
  select d.id, true as is_served, s.*
  from rules d
  cross join lateral (
    select e.start_time, e.trace_id, e.tool_call_id from events e
    where e.workspace_id = $1 and e.decision_id = d.id and e.served and e.tool_call_id is not null
      and e.start_time >= $7 and e.start_time < $8 and e.start_time <= d.last_at
    order by e.start_time desc, e.trace_id desc, e.span_id desc
    limit $10
  ) s
  union all
  select d.id, false, s.*
  from rules d
  cross join lateral (
    select e.start_time, e.trace_id, e.tool_call_id from events e
    where d.input_hash is null and e.workspace_id = $1 and e.tool_name = d.tool_name and e.kind = 'tool' and e.attested
      and not e.served and e.status <> 'error' and e.tool_call_id is not null
      and (d.agent_id is null or e.agent_id = d.agent_id) and e.tool_version is not distinct from d.tool_version
      and e.start_time >= $7 and e.start_time < $8 and e.start_time <= d.last_at
    order by e.start_time desc, e.trace_id desc, e.span_id desc
    limit $10
  ) s
  union all
  -- tools that attest only unread results, so that no execution is read twice
  select d.id, false, s.*
  from rules d
  cross join lateral (
    select e.start_time, e.trace_id, e.tool_call_id from events e
    where d.input_hash is null and e.workspace_id = $1 and e.tool_name = d.tool_name and e.kind = 'tool' and e.attested_unread
      and not e.attested and not e.served and e.status <> 'error' and e.tool_call_id is not null
      and (d.agent_id is null or e.agent_id = d.agent_id) and e.tool_version is not distinct from d.tool_version
      and e.start_time >= $7 and e.start_time < $8 and e.start_time <= d.last_at
    order by e.start_time desc, e.trace_id desc, e.span_id desc
    limit $10
  ) s
  union all
  select d.id, false, s.*
  from rules d
  cross join lateral (
    select e.start_time, e.trace_id, e.tool_call_id from events e
    where e.workspace_id = $1 and e.tool_name = d.tool_name and e.input_hash = d.input_hash and e.kind = 'tool'
      and not e.served and e.status <> 'error' and e.tool_call_id is not null
      and (d.agent_id is null or e.agent_id = d.agent_id) and e.tool_version is not distinct from d.tool_version
      and e.start_time >= $7 and e.start_time < $8 and e.start_time <= d.last_at
    order by e.start_time desc, e.trace_id desc, e.span_id desc
    limit $10
  ) s
), calls as materialized (
  select m.trace_id, m.start_time, m.consumed_tool_call_ids,
    lpad((extract(epoch from m.start_time) * 1000000)::bigint::text, 16, '0') || encode(m.span_id, 'hex')
      || jsonb_build_array(m.model, m.input_tokens, m.cache_savings_usd)::text as consumer
  from (select distinct trace_id from results) r
  join events m on m.workspace_id = $1 and m.trace_id = r.trace_id and m.kind = 'llm'
), followed as (
  select u.*,
    min(u.consumer) over (partition by u.trace_id, u.call_id order by u.start_time desc, u.is_consumer desc rows unbounded preceding) as first_consumer
  from (
    select r.id, r.is_served, r.trace_id, r.start_time, r.tool_call_id as call_id, false as is_consumer, null::text collate "C" as consumer
    from results r
    union all
    select null, null, c.trace_id, c.start_time, i.call_id, true, c.consumer
    from calls c
    cross join lateral unnest(c.consumed_tool_call_ids) i(call_id)
    -- in this form a hashed lookup, never a join
    where (i.call_id in (select r.tool_call_id from results r)) is true
  ) u
), firsts as (
  select f.id, f.is_served, m.caching ->> 0 as model, (m.caching ->> 1)::bigint as input_tokens,
    (m.caching ->> 2)::float8 as cache_savings_usd
  from followed f
  cross join lateral (select substr(f.first_consumer, 33)::jsonb as caching) m
  where not f.is_consumer and f.first_consumer is not null
)
select m.id, m.is_served, m.model, count(*)::int as calls, sum(m.input_tokens)::float8 as input_tokens,
  sum(m.cache_savings_usd) as savings_usd
from firsts m
where m.model is not null and m.input_tokens > 0 and m.cache_savings_usd is not null
group by 1, 2, 3
order by 1, 2, 3
