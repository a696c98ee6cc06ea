-- Reads the traces, kinds of error and cost of the failed calls of the given tools ($4) and models ($5).
-- Scans the newest 50,000 events of a window.
-- index: events_pkey
with scanned as materialized (
  select start_time, trace_id, span_id, kind, status, error_type, tool_name, model, cost_usd, provided_cost_usd, flags
  from events
  where workspace_id = $1 and start_time >= $2 and start_time < $3
  order by start_time desc, trace_id desc, span_id desc
  limit 50000
), failed as materialized (
  select kind = 'tool' as is_tool, case when kind = 'tool' then tool_name else model end as name, start_time, trace_id, error_type,
    coalesce(cost_usd, provided_cost_usd)::numeric as cost_usd
  from scanned
  where status = 'error' and not 'error_carried' = any (flags)
    and ((kind = 'tool' and tool_name = any ($4::text[])) or (kind in ('llm', 'embedding') and model = any ($5::text[])))
), sums as (
  select is_tool, name, count(*) as errors, count(cost_usd) as priced, avg(cost_usd)::float8 as mean_cost_usd,
    min(start_time) as first_seen, max(start_time) as last_seen,
    (array_agg(distinct error_type) filter (where error_type is not null))[1:5] as error_types
  from failed
  group by 1, 2
), traces as (
  select is_tool, name, (array_agg(encode(trace_id, 'hex') order by last desc, trace_id desc))[1:10] as trace_ids
  from (select is_tool, name, trace_id, max(start_time) as last from failed group by 1, 2, 3) by_trace
  group by 1, 2
)
select s.*, t.trace_ids
from sums s join traces t using (is_tool, name)
