-- Measures what prompt caching did for the calls that were the first to have a result in their prompt, by model: after the newest $9 served
-- calls of a decision ($2) and after the newest $9 real executions that it matches, in a phase ($7 to $8, µs). Only calls whose cache
-- counts are known and priced. `beyond_usd`: the part of the savings on tokens after the prompt and answer that precede the result, that
-- is, on the result itself. It is lost where other content takes the place of the result. `saved_per_token` and `squares`: the sum over the
-- calls of what each saved on a token of its input, and of its square.
-- $3 tool, $4 version or null, $5 agent or null, $6 input or null
-- However large a trace is, it is read once, in the order of its calls. Each result is given the last call before it (`known`) and the
-- first call that had it in its prompt (`consumer`), as texts that begin with the time and the span.
-- index: events_by_decision, events_executions, events_by_trace
with results as materialized (
  (
    select true as is_served, e.start_time, e.trace_id, e.tool_call_id
    from events e
    where e.workspace_id = $1 and e.decision_id = $2 and e.served and e.tool_call_id is not null
      and e.start_time >= 'epoch'::timestamptz + $7::bigint * interval '1 microsecond'
      and e.start_time < 'epoch'::timestamptz + $8::bigint * interval '1 microsecond'
    order by e.start_time desc, e.trace_id desc, e.span_id desc
    limit $9
  )
  union all
  (
    select false, e.start_time, e.trace_id, e.tool_call_id
    from events e
    where e.workspace_id = $1 and e.tool_name = $3 and e.kind = 'tool' and not e.served and e.status <> 'error'
      and e.tool_call_id is not null
      and e.tool_version is not distinct from $4::text
      and ($5::uuid is null or e.agent_id = $5)
      and ($6::text is null or e.input_hash = $6)
      and e.start_time >= 'epoch'::timestamptz + $7::bigint * interval '1 microsecond'
      and e.start_time < 'epoch'::timestamptz + $8::bigint * interval '1 microsecond'
    order by e.start_time desc, e.trace_id desc, e.span_id desc
    limit $9
  )
), calls as materialized (
  select m.trace_id, m.start_time, m.consumed_tool_call_ids,
    lpad((extract(epoch from m.start_time) * 1000000)::bigint::text, 16, '0') || encode(m.span_id, 'hex') as place,
    coalesce(m.input_tokens, 0) + coalesce(m.output_tokens, 0) as known,
    jsonb_build_array(m.model, m.input_tokens, m.cached_tokens, m.cache_savings_usd)::text as caching
  from (select distinct trace_id from results) r
  join events m on m.workspace_id = $1 and m.trace_id = r.trace_id and m.kind = 'llm'
), preceded as (
  select s.*, max(s.known) over (partition by s.trace_id order by s.start_time, s.is_call rows unbounded preceding) as last_known
  from (
    select r.is_served, r.trace_id, r.start_time, r.tool_call_id, false as is_call, null::text collate "C" as known from results r
    union all
    select null, c.trace_id, c.start_time, null, true, c.place || c.known from calls c
  ) s
), followed as (
  select u.*,
    min(u.consumer) over (partition by u.trace_id, u.call_id order by u.start_time desc, u.is_consumer desc rows unbounded preceding) as first_consumer
  from (
    select p.is_served, p.trace_id, p.start_time, p.tool_call_id as call_id, p.last_known, false as is_consumer,
      null::text collate "C" as consumer
    from preceded p
    where not p.is_call
    union all
    select null, c.trace_id, c.start_time, i.call_id, null, true, c.place || c.caching
    from calls c
    cross join lateral unnest(c.consumed_tool_call_ids) i(call_id)
    -- in this form a hashed lookup, never a join
    where (i.call_id in (select r.tool_call_id from results r)) is true
  ) u
), firsts as (
  select f.is_served, substr(f.last_known, 33)::bigint as known, m.caching ->> 0 as model, (m.caching ->> 1)::bigint as input_tokens,
    (m.caching ->> 2)::bigint as cached_tokens, (m.caching ->> 3)::float8 as cache_savings_usd
  from followed f
  cross join lateral (select substr(f.first_consumer, 33)::jsonb as caching) m
  where not f.is_consumer and f.first_consumer is not null
)
select m.is_served, m.model, count(*) as calls, sum(m.input_tokens)::bigint as input_tokens, sum(m.cache_savings_usd) as savings_usd,
  sum(m.cache_savings_usd / m.input_tokens) as saved_per_token, sum((m.cache_savings_usd / m.input_tokens) ^ 2) as squares,
  count(m.known) as estimated_calls,
  coalesce(sum(m.cache_savings_usd * greatest(0, m.cached_tokens - m.known) / m.cached_tokens)
    filter (where m.cached_tokens > 0 and m.cache_savings_usd > 0), 0) as beyond_usd
from firsts m
where m.model is not null and m.input_tokens > 0 and m.cache_savings_usd is not null
group by 1, 2
order by 1, 2
