-- Reads the ten most expensive traces of each of the given agents ($4), newest first, and when the agents spent. Scans the newest 50,000
-- events of a window.
-- index: events_pkey
with scanned as materialized (
  select start_time, trace_id, span_id, agent_id, counted, cost_usd
  from events
  where workspace_id = $1 and start_time >= $2 and start_time < $3
  order by start_time desc, trace_id desc, span_id desc
  limit 50000
), spent as materialized (
  select agent_id, trace_id, sum(cost_usd::numeric) as usd, min(start_time) as first, max(start_time) as last
  from scanned
  where counted and cost_usd > 0 and agent_id = any ($4::uuid[])
  group by 1, 2
), ranked as (
  select *, row_number() over (partition by agent_id order by usd desc, trace_id) as place from spent
)
select agent_id, min(first) as first_seen, max(last) as last_seen,
  array_agg(encode(trace_id, 'hex') order by last desc, trace_id desc) filter (where place <= 10) as trace_ids
from ranked
group by 1
