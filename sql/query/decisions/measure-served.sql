-- Measures the calls that a decision ($2) covered, by the newest $5 of a phase ($3 to $4, µs): since when, how many were served, and the
-- duration of a served one; if the decision has served none, the duration of those of the whole workspace. `timed_calls`: the calls that
-- the median is computed from.
-- index: events_by_decision
with own as materialized (
  select e.start_time, e.served, e.duration_us
  from events e
  where e.workspace_id = $1 and e.decision_id = $2 and e.kind = 'tool' and (e.served or e.holdout)
    and e.start_time >= 'epoch'::timestamptz + $3::bigint * interval '1 microsecond'
    and e.start_time < 'epoch'::timestamptz + $4::bigint * interval '1 microsecond'
  order by e.start_time desc, e.trace_id desc, e.span_id desc
  limit $5
), others as (
  select e.duration_us
  from events e
  where e.workspace_id = $1 and e.decision_id is not null and e.served and not exists (select from own where own.served)
  order by e.decision_id, e.start_time desc
  limit $5
)
select
  (select count(*)::int from own where served) as own_served_calls,
  (select (extract(epoch from min(start_time)) * 1000000)::bigint from own) as first_us,
  (select (extract(epoch from max(start_time)) * 1000000)::bigint from own) as last_us,
  s.*
from (
  select count(duration_us)::int as timed_calls, percentile_cont(0.5) within group (order by duration_us) / 1000 as median_ms
  from (select duration_us from own where served union all select duration_us from others) both_sides
) s
