-- The newest result of this tool, whatever its input, that may be served at $5: of a real, attested execution without error that
-- began after $4 and had ended. `ahead_end`: when the next one will have ended, where there is one, since clocks differ.
-- Always one row; without a result its columns are null.
-- The ids are ordered joined, so that the primary key, which would be read through all tools, has no order to offer.
-- index: events_attested, tool_results_pkey
with served as (
  select e.start_time, e.trace_id, e.span_id, coalesce(e.duration_us, 0) as duration_us, e.content_hash, e.key_id,
    r.ciphertext, r.iv, r.tag
  from events e
  join tool_results r using (workspace_id, start_time, trace_id, span_id)
  where e.workspace_id = $1 and e.tool_name = $2 and ($3::uuid is null or e.agent_id = $3)
    and e.start_time > $4 and e.start_time <= $5
    and e.start_time + coalesce(e.duration_us, 0) * interval '1 microsecond' <= $5
    and e.kind = 'tool' and not e.served and e.status <> 'error' and e.attested
    and e.content_hash is not null and e.key_id is not null
  order by e.start_time desc, (e.trace_id || e.span_id) desc
  limit 1
), ahead as (
  select min(e.start_time + coalesce(e.duration_us, 0) * interval '1 microsecond') as ahead_end
  from events e
  where e.workspace_id = $1 and e.tool_name = $2 and ($3::uuid is null or e.agent_id = $3)
    and e.start_time >= coalesce((select start_time from served), $4)
    and e.start_time + coalesce(e.duration_us, 0) * interval '1 microsecond' > $5
    and e.kind = 'tool' and not e.served and e.status <> 'error' and e.attested
    and e.content_hash is not null and e.key_id is not null
)
select (extract(epoch from a.ahead_end) * 1000000)::bigint as ahead_end_us,
  (extract(epoch from s.start_time) * 1000000)::bigint as start_us, s.duration_us, s.content_hash, s.key_id, s.ciphertext, s.iv, s.tag
from ahead a
left join served s on true
