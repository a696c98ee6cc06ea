-- The newest result of this tool, whatever its input, that may be served at $5: of a real, attested execution without error that
-- began after $4 and had ended. `ahead_end`: when the next one will have ended, where there is one, since clocks differ.
-- Always one row; without a result its columns are null.
-- It reads from the newest on until it has found one, whatever the planner thinks: of an agent that is not among the newest 5,000
-- attested executions, and behind 100 whose results are not stored, there is none.
-- index: events_attested, tool_results_pkey
with served as (
  select c.start_time, c.duration_us, c.content_hash, c.key_id, r.ciphertext, r.iv, r.tag
  from (
    select n.start_time, n.trace_id, n.span_id, n.duration_us, n.content_hash, n.key_id
    from (
      select e.start_time, e.trace_id, e.span_id, e.agent_id, e.kind, coalesce(e.duration_us, 0) as duration_us, e.content_hash,
        e.key_id
      from events e
      where e.workspace_id = $1 and e.tool_name = $2 and e.attested and not e.served and e.status <> 'error'
        and e.start_time > $4 and e.start_time <= $5
      order by e.start_time desc
      limit 5000
    ) n
    where n.kind = 'tool' and ($3::uuid is null or n.agent_id = $3) and n.content_hash is not null and n.key_id is not null
      and n.start_time + n.duration_us * interval '1 microsecond' <= $5
    order by n.start_time desc, (n.trace_id || n.span_id) desc
    limit 100
  ) c
  join tool_results r on r.workspace_id = $1 and r.start_time = c.start_time and r.trace_id = c.trace_id and r.span_id = c.span_id
  order by c.start_time desc, (c.trace_id || c.span_id) desc
  limit 1
), ahead as (
  select min(n.start_time + n.duration_us * interval '1 microsecond') as ahead_end
  from (
    select e.start_time, e.agent_id, e.kind, coalesce(e.duration_us, 0) as duration_us, e.content_hash, e.key_id
    from events e
    where e.workspace_id = $1 and e.tool_name = $2 and e.attested and not e.served and e.status <> 'error'
      and e.start_time >= coalesce((select start_time from served), $4)
    order by e.start_time desc
    limit 5000
  ) n
  where n.kind = 'tool' and ($3::uuid is null or n.agent_id = $3) and n.content_hash is not null and n.key_id is not null
    and n.start_time + n.duration_us * interval '1 microsecond' > $5
)
select (extract(epoch from a.ahead_end) * 1000000)::bigint as ahead_end_us,
  (extract(epoch from s.start_time) * 1000000)::bigint as start_us, s.duration_us, s.content_hash, s.key_id, s.ciphertext, s.iv, s.tag
from ahead a
left join served s on true
