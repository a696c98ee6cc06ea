-- The executions that a rule of type suppress_dead would have matched, oldest first, what would have been served for each (the newest
-- earlier candidate that had ended and was fresh, whatever its input), and whether model calls read what they got. Matched: they
-- had it in their prompts and did not read it. Consumers are calls of the same trace, or of its session within a day after.
-- $2 tool, $3 agent or null, $4 freshness (s), $5 and $6 the phase from and to (µs), $7 to $9 the place behind which to go on, $10
-- how many. Swept as in trials-of-reuse.
-- index: events_executions, events_attested, tool_results_pkey, events_by_trace
with looked as materialized (
  select e.start_time, e.trace_id, e.span_id, e.session_id, e.input_hash, e.tool_call_id
  from events e
  where e.workspace_id = $1 and e.tool_name = $2 and e.kind = 'tool' and not e.served and e.status <> 'error'
    and ($3::uuid is null or e.agent_id = $3)
    and e.start_time >= 'epoch'::timestamptz + $5::bigint * interval '1 microsecond'
    and e.start_time < 'epoch'::timestamptz + $6::bigint * interval '1 microsecond'
    and e.start_time >= 'epoch'::timestamptz + $7::bigint * interval '1 microsecond'
    and (e.start_time, e.trace_id, e.span_id) > ('epoch'::timestamptz + $7::bigint * interval '1 microsecond', $8::bytea, $9::bytea)
  order by e.start_time, e.trace_id, e.span_id
  limit $10
), ends as materialized (
  select min(start_time) as first, max(start_time) as last from looked
), before as materialized (
  select e.start_time
  from events e
  where e.workspace_id = $1 and e.tool_name = $2 and e.kind = 'tool' and not e.served and e.status <> 'error'
    and ($3::uuid is null or e.agent_id = $3)
    and e.attested and e.content_hash is not null and e.key_id is not null
    and e.start_time < (select first from ends)
    and e.start_time > (select first from ends) - make_interval(secs => $4)
    and e.start_time + coalesce(e.duration_us, 0) * interval '1 microsecond' <= (select first from ends)
    and exists (
      select from tool_results r
      where r.workspace_id = $1 and r.start_time = e.start_time and r.trace_id = e.trace_id and r.span_id = e.span_id
    )
  order by e.start_time desc
  limit 1
), candidates as (
  select
    e.start_time + greatest(coalesce(e.duration_us, 0), 1) * interval '1 microsecond' as ready_at,
    lpad((extract(epoch from e.start_time) * 1000000)::bigint::text, 16, '0') || encode(e.trace_id, 'hex') || encode(e.span_id, 'hex')
      as told
  from events e
  where e.workspace_id = $1 and e.tool_name = $2 and e.kind = 'tool' and not e.served and e.status <> 'error'
    and ($3::uuid is null or e.agent_id = $3)
    and e.attested and e.content_hash is not null and e.key_id is not null
    and e.start_time >= coalesce((select start_time from before), (select first from ends) - make_interval(secs => $4))
    and e.start_time < (select last from ends)
    and exists (
      select from tool_results r
      where r.workspace_id = $1 and r.start_time = e.start_time and r.trace_id = e.trace_id and r.span_id = e.span_id
    )
), swept as (
  select s.*, max(s.told) over (order by s.at, s.is_trial rows unbounded preceding) as newest
  from (
    select l.start_time as at, true as is_trial, null::text collate "C" as told, l.*
    from looked l
    union all
    select c.ready_at, false, c.told collate "C", null, null, null, null, null, null
    from candidates c
  ) s
), reached as materialized (
  select l.trace_id from looked l where l.tool_call_id is not null
  union
  select t.trace_id
  from (
    select l.session_id, min(l.start_time) as since, max(l.start_time) as till
    from looked l
    where l.session_id is not null and l.tool_call_id is not null
    group by 1
  ) s
  join traces t on t.workspace_id = $1 and t.session_id = s.session_id
    and t.start_time > s.since - interval '1 day' and t.start_time < s.till + interval '1 day'
), evidence as (
  select l.start_time, l.trace_id, l.span_id, bool_or(c.call_id = any (m.read_tool_call_ids)) as is_read
  from reached r
  join events m on m.workspace_id = $1 and m.trace_id = r.trace_id and m.kind = 'llm' and m.consumed_tool_call_ids <> '{}'
  cross join lateral unnest(m.consumed_tool_call_ids) c(call_id)
  join looked l on l.tool_call_id = c.call_id and (
    l.trace_id = m.trace_id
    or l.session_id = m.session_id and m.start_time >= l.start_time and m.start_time < l.start_time + interval '1 day'
  )
  group by 1, 2, 3
), found as (
  select s.*, v.is_read, coalesce(t.settled, false) as settled,
    case when substr(s.newest, 1, 16)::bigint > (extract(epoch from s.start_time) * 1000000)::bigint - $4::bigint * 1000000
      then s.newest end as candidate
  from swept s
  left join evidence v on v.start_time = s.start_time and v.trace_id = s.trace_id and v.span_id = s.span_id
  left join traces t on t.workspace_id = $1 and t.trace_id = s.trace_id
  where s.is_trial
)
select
  (extract(epoch from f.start_time) * 1000000)::bigint as start_us, encode(f.trace_id, 'hex') as trace_id,
  encode(f.span_id, 'hex') as span_id, coalesce(f.session_id, encode(f.trace_id, 'hex')) as cluster, f.input_hash,
  substr(f.candidate, 1, 16)::bigint as candidate_start_us, substr(f.candidate, 17, 32) as candidate_trace_id,
  substr(f.candidate, 49, 16) as candidate_span_id, case when f.settled and f.candidate is not null then not f.is_read end as matched,
  case when f.candidate is null then 'no_candidate' when not f.settled then 'pending' when f.is_read is null then 'not_consumed' end
    as excluded_reason
from found f
order by f.start_time, f.trace_id, f.span_id
