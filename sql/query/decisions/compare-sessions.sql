-- Compares the sessions in which a decision ($2) served with those that it held out, since $3 (µs), by the newest $4 calls of either kind:
-- the number of sessions, and the mean and variance of their model calls, cost (of sessions whose every call has a price), errors and
-- scores. A trace without a session counts as a session. Left out are sessions whose traces may still change,
-- and those that had both kinds of calls.
-- index: events_by_decision, traces_by_session, traces_pkey, events_scored
with calls as materialized (
  select * from (
    select e.served, e.session_id, e.trace_id from events e
    where e.workspace_id = $1 and e.decision_id = $2 and e.served and e.kind = 'tool'
      and e.start_time >= 'epoch'::timestamptz + $3::bigint * interval '1 microsecond'
    order by e.start_time desc, e.trace_id desc, e.span_id desc
    limit $4
  ) served
  union all
  select * from (
    select e.served, e.session_id, e.trace_id from events e
    where e.workspace_id = $1 and e.decision_id = $2 and e.holdout and not e.served and e.kind = 'tool'
      and e.start_time >= 'epoch'::timestamptz + $3::bigint * interval '1 microsecond'
    order by e.start_time desc, e.trace_id desc, e.span_id desc
    limit $4
  ) held_out
), sides as materialized (
  select bool_or(c.served) as is_served, c.session_id, case when c.session_id is null then c.trace_id end as trace_id
  from calls c
  group by 2, 3
  having bool_and(c.served) or not bool_or(c.served)
), traced as (
  select s.is_served, encode(s.trace_id, 'hex') as session, t.trace_id, t.llm_calls, t.cost_usd, t.unpriced_calls, t.error_count, t.settled
  from sides s
  join traces t on t.workspace_id = $1 and t.trace_id = s.trace_id
  union all
  select s.is_served, s.session_id, t.*
  from sides s
  cross join lateral (
    select t.trace_id, t.llm_calls, t.cost_usd, t.unpriced_calls, t.error_count, t.settled
    from traces t
    where t.workspace_id = $1 and t.session_id = s.session_id
      and t.start_time >= 'epoch'::timestamptz + $3::bigint * interval '1 microsecond'
    order by t.start_time desc
    limit 200
  ) t
), sessions as (
  select t.is_served, t.session, sum(t.llm_calls)::float8 as llm_calls, sum(t.error_count)::float8 as errors,
    case when sum(t.unpriced_calls) = 0 then coalesce(sum(t.cost_usd), 0) end as cost_usd, avg(q.score) as quality
  from traced t
  cross join lateral (
    select avg(e.quality_score) as score
    from events e
    where e.workspace_id = $1 and e.trace_id = t.trace_id and e.quality_score is not null
  ) q
  group by 1, 2
  having bool_and(t.settled)
)
select s.is_served, m.name as measure, count(m.value)::int as sessions, avg(m.value) as mean, var_samp(m.value) as variance
from sessions s
cross join lateral (
  values ('llm_calls', s.llm_calls), ('cost_usd', s.cost_usd), ('errors', s.errors), ('quality', s.quality)
) m(name, value)
where m.value is not null
group by 1, 2
