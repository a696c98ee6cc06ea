-- Invalidations of a subject since $6, oldest first. $2 tool, $3 version or null, $4 agent or null, $5 input or null
-- scope: $1
-- index: invalidations_by_tool
select (extract(epoch from i.at) * 1000000)::bigint as at_us, i.at::text as at_key, i.input_hash
from invalidations i
where i.workspace_id = $1 and i.tool_name = $2
  and (i.tool_version is null or i.tool_version is not distinct from $3::text)
  and (i.agent_name is null or $4::uuid is null
    or i.agent_name = (select a.name from agents a where a.workspace_id = $1 and a.id = $4))
  and (i.input_hash is null or $5::text is null or i.input_hash = $5)
  and ($6::text is null or i.at > $6::text::timestamptz)
order by i.at
