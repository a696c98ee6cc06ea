-- Finds the start of the first stored execution of a subject (µs). $2 tool, $3 version or null, $4 agent or null
-- index: events_unread_starts
select (extract(epoch from e.start_time) * 1000000)::bigint as start_us
from events e
where e.workspace_id = $1 and e.tool_name = $2 and e.attested_unread and not e.served and e.kind = 'tool'
  and e.tool_version is not distinct from $3::text and ($4::uuid is null or e.agent_id = $4)
order by e.start_time
limit 1
