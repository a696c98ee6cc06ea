-- Finds keys under which one IV encrypted different results. Scans the newest 20,000 results of a window, and of these the newest 2,000
-- that share their IV with another one. Two results differ if their tag, their length or their first kilobyte differs; the rest is not read.
-- index: tool_results_pkey, events_pkey
with scanned as materialized (
  select start_time, trace_id, span_id, iv
  from tool_results
  where workspace_id = $1 and start_time >= $2 and start_time < $3
  order by start_time desc, trace_id desc, span_id desc
  limit 20000
), reach as materialized (
  select count(*) as scanned_events, count(*) = 20000 as is_cut, min(start_time) as scanned_from from scanned
), shared as materialized (
  select l.start_time, l.trace_id, l.span_id
  from scanned l
  -- in this form a hashed lookup, never a join; a join would compare every row with every other where the planner expects few rows
  where (l.iv in (select iv from scanned group by iv having count(*) > 1)) is true
  order by l.start_time desc, l.trace_id desc, l.span_id desc
  limit 2000
), keyed as materialized (
  select s.start_time, s.trace_id, e.key_id, r.iv,
    row(r.tag, octet_length(r.ciphertext), substring(r.ciphertext from 1 for 1024))::text as content
  from shared s
  join tool_results r on r.workspace_id = $1 and r.start_time = s.start_time and r.trace_id = s.trace_id and r.span_id = s.span_id
  -- never by the trace index, since the trace may be large
  join events e on e.workspace_id = $1 and e.start_time = s.start_time and e.span_id = s.span_id and (e.trace_id = s.trace_id) is true
  where e.key_id is not null
), reused as materialized (
  select key_id, iv from keyed group by 1, 2 having count(distinct content) > 1
), results as materialized (
  select t.* from keyed t join reused u using (key_id, iv)
), traces as (
  select key_id, (array_agg(encode(trace_id, 'hex') order by last desc, trace_id desc))[1:10] as trace_ids
  from (select key_id, trace_id, max(start_time) as last from results group by 1, 2) by_trace
  group by 1
)
select s.*, t.trace_ids, r.*
from (
  select key_id, count(*) as results, count(distinct iv) as ivs, min(start_time) as first_seen, max(start_time) as last_seen
  from results
  group by 1
  order by results desc, key_id
  limit 50
) s
join traces t using (key_id) cross join reach r
order by s.results desc, s.key_id
