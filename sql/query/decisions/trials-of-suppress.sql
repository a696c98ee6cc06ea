-- The executions that a rule of type suppress_dead would have matched, oldest first, what would have been served for each (the newest
-- earlier candidate that had ended and was fresh, whatever its input), and whether model calls read what they got. Matched: they
-- had it in their prompts and did not read it. Consumers are calls of the same trace, or of its session within a day after.
-- $2 tool, $3 agent or null, $4 freshness (s), $5 and $6 the phase from and to (µs), $7 to $9 the place behind which to go on, $10
-- how many. Swept as in trials-of-reuse. Nothing that is read here is joined to anything else that is: no plan, however wrong its
-- guess at the number of rows, compares each with each.
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
), found as (
  select s.*,
    case when substr(s.newest, 1, 16)::bigint > (extract(epoch from s.start_time) * 1000000)::bigint - $4::bigint * 1000000
      then s.newest end as candidate
  from swept s
  where s.is_trial
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
), told as (
  select m.start_time, m.trace_id, m.session_id, c.call_id, c.call_id = any (m.read_tool_call_ids) as is_read
  from reached r
  join events m on m.workspace_id = $1 and m.trace_id = r.trace_id and m.kind = 'llm' and m.consumed_tool_call_ids <> '{}'
  cross join lateral unnest(m.consumed_tool_call_ids) c(call_id)
  -- as it stands a hashed lookup and never a join
  where (c.call_id in (select l.tool_call_id from looked l where l.tool_call_id is not null)) is true
), judged as (
  select u.*,
    bool_or(u.is_read) over (partition by u.trace_id, u.tool_call_id) as read_in_trace,
    bool_or(u.is_read) over (
      partition by u.session_id, u.tool_call_id order by u.start_time
      range between current row and interval '86399.999999 seconds' following
    ) as read_in_session
  from (
    select f.start_time, f.trace_id, f.span_id, f.session_id, f.input_hash, f.tool_call_id, f.candidate, true as is_trial,
      null::boolean as is_read
    from found f
    union all
    select c.start_time, c.trace_id, null, c.session_id, null, c.call_id, null, false, c.is_read
    from told c
  ) u
), evident as (
  select j.*, t.settled is true as settled,
    case when j.session_id is null then j.read_in_trace
      else coalesce(j.read_in_trace or j.read_in_session, j.read_in_trace, j.read_in_session) end as is_known_read
  from judged j
  left join traces t on t.workspace_id = $1 and t.trace_id = j.trace_id
  where j.is_trial
)
select
  (extract(epoch from e.start_time) * 1000000)::bigint as start_us, encode(e.trace_id, 'hex') as trace_id,
  encode(e.span_id, 'hex') as span_id, coalesce(e.session_id, encode(e.trace_id, 'hex')) as cluster, e.input_hash,
  substr(e.candidate, 1, 16)::bigint as candidate_start_us, substr(e.candidate, 17, 32) as candidate_trace_id,
  substr(e.candidate, 49, 16) as candidate_span_id,
  case when e.settled and e.candidate is not null then not e.is_known_read end as matched,
  case when e.candidate is null then 'no_candidate' when not e.settled then 'pending' when e.is_known_read is null then 'not_consumed' end
    as excluded_reason
from evident e
order by e.start_time, e.trace_id, e.span_id
