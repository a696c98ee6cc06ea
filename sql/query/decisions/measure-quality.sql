-- Measures the mean quality of the traces in which a decision ($2) served, and of those with a real execution that it matches and no served
-- one, by the newest $9 calls of each in a phase ($7 to $8, µs). The quality of a trace is the mean of the scores of its spans.
-- $3 tool, $4 version or null, $5 agent or null, $6 input or null
-- index: events_by_decision, events_executions, events_scored
with served as materialized (
  select distinct s.trace_id
  from (
    select e.trace_id
    from events e
    where e.workspace_id = $1 and e.decision_id = $2 and e.served
      and e.start_time >= 'epoch'::timestamptz + $7::bigint * interval '1 microsecond'
      and e.start_time < 'epoch'::timestamptz + $8::bigint * interval '1 microsecond'
    order by e.start_time desc, e.trace_id desc, e.span_id desc
    limit $9
  ) s
), ran as materialized (
  select distinct r.trace_id
  from (
    select e.trace_id
    from events e
    where e.workspace_id = $1 and e.tool_name = $3 and e.kind = 'tool' and not e.served and e.status <> 'error'
      and e.tool_version is not distinct from $4::text
      and ($5::uuid is null or e.agent_id = $5)
      and ($6::text is null or e.input_hash = $6)
      and e.start_time >= 'epoch'::timestamptz + $7::bigint * interval '1 microsecond'
      and e.start_time < 'epoch'::timestamptz + $8::bigint * interval '1 microsecond'
    order by e.start_time desc, e.trace_id desc, e.span_id desc
    limit $9
  ) r
  where r.trace_id not in (select trace_id from served)
)
select t.is_served, count(*) as traces, avg(q.score) as quality
from (select true as is_served, trace_id from served union all select false, trace_id from ran) t
cross join lateral (
  select avg(e.quality_score) as score
  from events e
  where e.workspace_id = $1 and e.trace_id = t.trace_id and e.quality_score is not null
) q
where q.score is not null
group by 1
