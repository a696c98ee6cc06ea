-- Finds calls of a tool that failed at least $4 times with the same input (or each time without a known one) in one trace, without a
-- success in between, by agent and tool: the 50 with the most such loops. Scans the newest 50,000 events of a window. For the newest 200
-- loops it also sums what models cost during the loop.
-- index: events_pkey
with scanned as materialized (
  select start_time, trace_id, span_id, agent_id, kind, counted, status, error_type, tool_name, input_hash, cost_usd,
    provided_cost_usd
  from events
  where workspace_id = $1 and start_time >= $2 and start_time < $3
  order by start_time desc, trace_id desc, span_id desc
  limit 50000
), reach as materialized (
  select count(*) as scanned_events, count(*) = 50000 as is_cut, min(start_time) as scanned_from from scanned
), calls as (
  select *,
    count(*) filter (where status <> 'error') over (
      partition by agent_id, tool_name, trace_id, input_hash order by start_time, span_id rows unbounded preceding
    ) as successes
  from scanned
  where kind = 'tool' and counted and tool_name is not null
), loops as materialized (
  select agent_id, tool_name, trace_id, count(*) as failures, min(start_time) as first, max(start_time) as last,
    sum(provided_cost_usd::numeric) as tool_usd, (array_agg(error_type order by start_time desc, span_id desc))[1] as error_type,
    row_number() over (order by max(start_time) desc, trace_id desc, agent_id, tool_name, input_hash) as place
  from calls
  where status = 'error'
  group by agent_id, tool_name, trace_id, input_hash, successes
  having count(*) >= $4::bigint
), spent as (
  -- a model call during several loops of a tool, whose inputs were tried concurrently, is counted once
  select place, sum(cost_usd) filter (where is_first) as model_usd, count(cost_usd) > 0 as has_models
  from (
    select l.place, e.cost_usd::numeric,
      row_number() over (partition by l.agent_id, l.tool_name, e.trace_id, e.span_id, e.start_time order by l.place) = 1 as is_first
    from loops l
    -- the scan is contiguous: it includes all events between two scanned ones
    left join scanned e on e.trace_id = l.trace_id and e.agent_id = l.agent_id and e.start_time between l.first and l.last
      and e.kind in ('llm', 'embedding') and e.counted
    where l.place <= 200
  ) during
  group by 1
), sums as (
  select l.agent_id, l.tool_name, count(*) as loops, sum(l.failures)::bigint as failures, max(l.failures) as longest,
    count(s.place) as loops_looked_at,
    count(*) filter (where s.has_models or (s.place is not null and l.tool_usd is not null)) as loops_priced,
    (sum(coalesce(s.model_usd, 0) + coalesce(l.tool_usd, 0)) filter (where s.place is not null))::float8 as known_usd,
    (array_agg(distinct l.error_type) filter (where l.error_type is not null))[1:5] as error_types,
    min(l.first) as first_seen, max(l.last) as last_seen
  from loops l left join spent s using (place)
  group by 1, 2
  order by loops desc, l.agent_id, l.tool_name
  limit 50
), traces as (
  select agent_id, tool_name, (array_agg(encode(trace_id, 'hex') order by last desc, trace_id desc))[1:10] as trace_ids
  from (select agent_id, tool_name, trace_id, max(last) as last from loops group by 1, 2, 3) by_trace
  group by 1, 2
)
select s.*, t.trace_ids, r.*, greatest(a.first_seen, $2) as observed_from, coalesce(a.name, 'unknown') as agent_name
from sums s join traces t using (agent_id, tool_name) cross join reach r
  left join agents a on a.workspace_id = $1 and a.id = s.agent_id
order by s.loops desc, s.agent_id, s.tool_name
