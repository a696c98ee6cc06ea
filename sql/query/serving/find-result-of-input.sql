-- Finds the result that a rule (decision $6) may serve at $8 for exactly this tool, version and input. It is the result of the real
-- execution that ended last, of the agent $5 or of any agent. That execution must have ended after $7, succeeded and be attested, and no
-- invalidation of it may be later than its start. Always returns one row; without a result its columns are null. `ahead_end`: the end of
-- the next execution, if there is one, since clocks differ. The last end is searched among the 20 executions that began last. Not found are
-- executions that took more than a day, and those of an agent or a version that is not among the newest 5,000. The order by concatenated
-- ids and the `coalesce` keep the planner from using the indexes of attested executions and of the times of invalidations,
-- which do not contain the input.
-- scope: $1
-- index: events_calls, tool_results_pkey
with recent as (
  select n.*, n.start_time + n.duration_us * interval '1 microsecond' as end_time
  from (
    select e.start_time, e.trace_id, e.span_id, e.agent_id, e.kind, e.tool_version, e.status, coalesce(e.attested, false) as attested,
      coalesce(e.duration_us, 0) as duration_us, e.content_hash, e.key_id
    from events e
    where e.workspace_id = $1 and e.tool_name = $2 and e.input_hash = $4 and not e.served
      and e.start_time > $7::timestamptz - interval '1 day' and e.start_time <= $8
    order by e.start_time desc
    limit 5000
  ) n
  where n.kind = 'tool' and n.tool_version is not distinct from $3::text and ($5::uuid is null or n.agent_id = $5)
  order by n.start_time desc, (n.trace_id || n.span_id) desc
  limit 20
), latest as (
  select * from recent
  where end_time <= $8
  order by end_time desc, start_time desc, (trace_id || span_id) desc
  limit 1
), served as (
  select l.start_time, l.duration_us, l.content_hash, l.key_id, r.ciphertext, r.iv, r.tag
  from latest l
  join tool_results r on r.workspace_id = $1 and r.start_time = l.start_time and r.trace_id = l.trace_id and r.span_id = l.span_id
  where l.status <> 'error' and l.attested and l.content_hash is not null and l.key_id is not null and l.end_time > $7
    and not exists (
      select from (
        select i.* from invalidations i where i.workspace_id = $1 and i.tool_name = $2 and i.input_hash = $4
        union all
        select i.* from invalidations i where i.workspace_id = $1 and i.tool_name = $2 and i.input_hash is null
      ) i
      where coalesce(i.at, 'infinity') >= l.start_time and (i.tool_version is null or i.tool_version = l.tool_version)
        and (i.agent_name is null
          or i.agent_name = (select a.name from agents a where a.workspace_id = $1 and a.id = l.agent_id))
    )
    and exists (
      select from decisions d
      where d.id = $6 and d.workspace_id = $1 and d.state = 'active' and $4 = any (d.inputs)
        and (d.doubted_until is null or l.start_time > d.doubted_until)
    )
), ahead as (
  select min(w.end_time) as ahead_end
  from (
    select end_time from recent where end_time > $8
    union all
    select n.start_time + n.duration_us * interval '1 microsecond'
    from (
      select e.start_time, e.agent_id, e.kind, e.tool_version, coalesce(e.duration_us, 0) as duration_us
      from events e
      where e.workspace_id = $1 and e.tool_name = $2 and e.input_hash = $4 and not e.served
        and e.start_time > $8
      order by e.start_time desc
      limit 5000
    ) n
    where n.kind = 'tool' and n.tool_version is not distinct from $3::text and ($5::uuid is null or n.agent_id = $5)
  ) w
)
select (extract(epoch from a.ahead_end) * 1000000)::bigint as ahead_end_us,
  (extract(epoch from s.start_time) * 1000000)::bigint as start_us, s.duration_us, s.content_hash, s.key_id, s.ciphertext, s.iv, s.tag
from ahead a
left join served s on true
