-- Measures what model calls did with the results of a subject (tool $2, version $3, agent $4) from $5 to $6, by its newest $7 executions:
-- how many were in a prompt, and how many of those were read. A result is consumed in its own trace, or within a day in another trace of
-- its session. It is also read if the sender says that others than the model may receive it. `reusable`: a stub could have replaced it (no scope), or the result of the same scope from within $8 seconds before.
-- index: events_unread_starts, events_by_trace
with sample as materialized (
  select e.start_time, e.trace_id, e.span_id, e.session_id, e.tool_call_id, e.scope_hash, e.task_type, e.duration_us, e.provided_cost_usd,
    coalesce(e.tool_call_id = any (e.read_tool_call_ids), false) as is_reported_read
  from events e
  where e.workspace_id = $1 and e.tool_name = $2 and e.attested_unread and not e.served and e.kind = 'tool'
    and e.tool_version is not distinct from $3::text and e.agent_id = $4
    and e.start_time >= $5 and e.start_time < $6
  order by e.start_time desc
  limit $7
), reached as materialized (
  select s.trace_id from sample s
  union
  select near.trace_id
  from (select session_id, min(start_time) as since, max(start_time) as till from sample where session_id is not null group by 1) g
  cross join lateral (
    select t.trace_id from traces t
    where t.workspace_id = $1 and t.session_id = g.session_id
      and t.start_time >= g.since and t.start_time < g.till + interval '1 day'
    order by t.start_time
    limit 200
  ) near
), consumptions as materialized (
  select c.call_id, l.trace_id, l.session_id, l.start_time, c.call_id = any (l.read_tool_call_ids) as is_read
  from reached r
  join events l on l.workspace_id = $1 and l.trace_id = r.trace_id and l.kind = 'llm' and l.start_time >= $5
  cross join lateral unnest(l.consumed_tool_call_ids) c(call_id)
), judged as (
  select s.start_time, s.trace_id, s.span_id, s.scope_hash, s.task_type, s.duration_us, s.provided_cost_usd,
    count(t.call_id) > 0 as is_consumed, coalesce(bool_or(t.is_read), false) or s.is_reported_read as is_read
  from sample s
  left join consumptions t on t.call_id = s.tool_call_id and (
    t.trace_id = s.trace_id or t.session_id = s.session_id and t.start_time >= s.start_time and t.start_time < s.start_time + interval '1 day'
  )
  group by 1, 2, 3, 4, 5, 6, 7, s.is_reported_read
)
select
  count(*)::int as executions,
  count(*) filter (where j.is_consumed)::int as consumed,
  count(*) filter (where j.is_read)::int as read,
  count(*) filter (where j.scope_hash is null or j.gap < make_interval(secs => $8))::int as reusable,
  (count(*) >= $7)::boolean as cut,
  min(j.start_time) as first_at,
  percentile_cont(0.5) within group (order by j.duration_us) / 1000 as median_ms,
  avg(j.provided_cost_usd) as mean_cost_usd,
  (array_agg(distinct j.task_type) filter (where j.task_type is not null))[1:2] as task_types,
  (array_agg(encode(j.trace_id, 'hex') order by j.start_time desc) filter (where j.is_consumed))[1:20] as trace_ids
from (
  select k.*, k.start_time - lag(k.start_time) over (partition by k.scope_hash order by k.start_time, k.trace_id, k.span_id) as gap
  from judged k
) j
