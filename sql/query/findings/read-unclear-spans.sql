-- Reads the spans that make the telemetry of scopes unclear, by scope ($4) and reason ($5). Scans the newest 50,000 events of a window.
-- index: events_pkey
with scanned as materialized (
  select start_time, trace_id, span_id, kind, counted, coalesce(scope_name, '') as name, flags
  from events
  where workspace_id = $1 and start_time >= $2 and start_time < $3
  order by start_time desc, trace_id desc, span_id desc
  limit 50000
), unclear as materialized (
  select l.name, w.reason, l.start_time, l.trace_id
  from scanned l
  join unnest($4::text[], $5::text[]) as w (name, reason) using (name)
  where case w.reason
    when 'other' then l.kind = 'other'
    when 'told_twice' then 'told_twice' = any (l.flags) and not l.counted
    when 'unpriced' then l.kind in ('llm', 'embedding') and l.counted and 'unpriced' = any (l.flags)
    when 'cost_disagrees' then 'cost_disagrees' = any (l.flags)
  end
), sums as (
  select name, reason, min(start_time) as first_seen, max(start_time) as last_seen from unclear group by 1, 2
), traces as (
  select name, reason, (array_agg(encode(trace_id, 'hex') order by last desc, trace_id desc))[1:10] as trace_ids
  from (select name, reason, trace_id, max(start_time) as last from unclear group by 1, 2, 3) by_trace
  group by 1, 2
)
select * from sums join traces using (name, reason)
