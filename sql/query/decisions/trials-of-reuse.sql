-- The executions that a rule of type reuse_identity would have matched, oldest first, and what would have been served for each: the
-- newest earlier candidate that had ended and was fresh. Matched: it has the same content.
-- $2 tool, $3 input, $4 agent or null, $5 freshness (s), $6 and $7 the phase from and to (µs), $8 to $10 the place behind which to
-- go on, $11 how many. What is served does not depend on how the read is cut. Every row is read once: candidates come by in the
-- order in which they ended, and the newest of them so far is carried along (`told`: its start, ids and content as one text).
-- index: events_executions, tool_results_pkey
with looked as materialized (
  select e.start_time, e.trace_id, e.span_id, e.session_id, e.input_hash, e.content_hash
  from events e
  where e.workspace_id = $1 and e.tool_name = $2 and e.input_hash = $3 and e.kind = 'tool' and not e.served and e.status <> 'error'
    and ($4::uuid is null or e.agent_id = $4)
    and e.start_time >= 'epoch'::timestamptz + $6::bigint * interval '1 microsecond'
    and e.start_time < 'epoch'::timestamptz + $7::bigint * interval '1 microsecond'
    and e.start_time >= 'epoch'::timestamptz + $8::bigint * interval '1 microsecond'
    and (e.start_time, e.trace_id, e.span_id) > ('epoch'::timestamptz + $8::bigint * interval '1 microsecond', $9::bytea, $10::bytea)
  order by e.start_time, e.trace_id, e.span_id
  limit $11
), ends as materialized (
  select min(start_time) as first, max(start_time) as last from looked
), before as materialized (
  -- what would have been served for the first of them: no older candidate matters any more
  select e.start_time
  from events e
  where e.workspace_id = $1 and e.tool_name = $2 and e.input_hash = $3 and e.kind = 'tool' and not e.served and e.status <> 'error'
    and ($4::uuid is null or e.agent_id = $4)
    and e.attested and e.content_hash is not null and e.key_id is not null
    and e.start_time < (select first from ends)
    and e.start_time > (select first from ends) - make_interval(secs => $5)
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
      || e.content_hash as told
  from events e
  where e.workspace_id = $1 and e.tool_name = $2 and e.input_hash = $3 and e.kind = 'tool' and not e.served and e.status <> 'error'
    and ($4::uuid is null or e.agent_id = $4)
    and e.attested and e.content_hash is not null and e.key_id is not null
    and e.start_time >= coalesce((select start_time from before), (select first from ends) - make_interval(secs => $5))
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
    case when substr(s.newest, 1, 16)::bigint > (extract(epoch from s.start_time) * 1000000)::bigint - $5::bigint * 1000000
      then s.newest end as candidate
  from swept s
  where s.is_trial
)
select
  (extract(epoch from f.start_time) * 1000000)::bigint as start_us, encode(f.trace_id, 'hex') as trace_id,
  encode(f.span_id, 'hex') as span_id, coalesce(f.session_id, encode(f.trace_id, 'hex')) as cluster, f.input_hash,
  substr(f.candidate, 1, 16)::bigint as candidate_start_us, substr(f.candidate, 17, 32) as candidate_trace_id,
  substr(f.candidate, 49, 16) as candidate_span_id, substr(f.candidate, 65) = f.content_hash as matched,
  case when f.candidate is null then 'no_candidate' when f.content_hash is null then 'no_content_hash' end as excluded_reason
from found f
order by f.start_time, f.trace_id, f.span_id
