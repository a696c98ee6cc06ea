-- Reads the traces of calls of tools ($4) that took longer than each tool's own bound ($5, microseconds). Scans the newest 50,000 events of
-- a window.
-- index: events_pkey
with scanned as materialized (
  select start_time, trace_id, span_id, kind, served, tool_name, duration_us
  from events
  where workspace_id = $1 and start_time >= $2 and start_time < $3
  order by start_time desc, trace_id desc, span_id desc
  limit 50000
), slow as materialized (
  select l.tool_name, l.start_time, l.trace_id
  from scanned l
  join unnest($4::text[], $5::float8[]) as bound (tool_name, us) on bound.tool_name = l.tool_name and l.duration_us > bound.us
  where l.kind = 'tool' and not l.served
), traces as (
  select tool_name, (array_agg(encode(trace_id, 'hex') order by last desc, trace_id desc))[1:10] as trace_ids
  from (select tool_name, trace_id, max(start_time) as last from slow group by 1, 2) by_trace
  group by 1
)
select tool_name, t.trace_ids, s.first_seen, s.last_seen
from (select tool_name, min(start_time) as first_seen, max(start_time) as last_seen from slow group by 1) s
join traces t using (tool_name)
