-- Lists the newest 20,000 invalidations of a subject since ten minutes before $6, oldest first. The ten minutes are needed because calls
-- are stored later than they are made. `is_known`: not later than $6. $2 tool, $3 version or null, $4 agent or null, $5 input or null
-- scope: $1
-- index: invalidations_by_tool
select (extract(epoch from n.at) * 1000000)::bigint as at_us, n.at::text as at_key, n.input_hash,
  ($6::text is not null and n.at <= $6::text::timestamptz) as is_known
from (
  select t.at, i.input_hash
  from invalidations i
  cross join lateral unnest(i.at || i.earlier) t(at)
  where i.workspace_id = $1 and i.tool_name = $2
    and (i.tool_version is null or i.tool_version is not distinct from $3::text)
    and (i.agent_name is null or $4::uuid is null
      or i.agent_name = (select a.name from agents a where a.workspace_id = $1 and a.id = $4))
    and (i.input_hash is null or $5::text is null or i.input_hash = $5)
    and ($6::text is null or i.at > $6::text::timestamptz - interval '10 minutes')
    and ($6::text is null or t.at > $6::text::timestamptz - interval '10 minutes')
  order by t.at desc
  limit 20000
) n
order by n.at
