-- Reads the traces of calls of models without a price. Scans the newest 50,000 events of a window.
-- index: events_pkey
with scanned as materialized (
  select start_time, trace_id, span_id, kind, counted, provider, model, flags
  from events
  where workspace_id = $1 and start_time >= $2 and start_time < $3
  order by start_time desc, trace_id desc, span_id desc
  limit 50000
), unpriced as materialized (
  select coalesce(model, '') as name, provider, start_time, trace_id
  from scanned
  where kind in ('llm', 'embedding') and counted and 'unpriced' = any (flags)
), sums as (
  select name, min(start_time) as first_seen, max(start_time) as last_seen,
    (array_agg(distinct provider) filter (where provider is not null))[1:5] as providers
  from unpriced
  group by 1
), traces as (
  select name, (array_agg(encode(trace_id, 'hex') order by last desc, trace_id desc))[1:10] as trace_ids
  from (select name, trace_id, max(start_time) as last from unpriced group by 1, 2) by_trace
  group by 1
)
select s.*, t.trace_ids
from sums s join traces t using (name)
