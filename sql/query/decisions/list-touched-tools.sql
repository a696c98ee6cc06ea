-- Lists the tools that ran attested from $2 to $3. Takes one step along the index for each tool, at most a thousand.
-- index: events_attested_calls
with recursive tools as (
  (
    select 1 as place, e.tool_name from events e
    where e.workspace_id = $1 and e.attested and not e.served and e.tool_name is not null
    order by e.tool_name limit 1
  )
  union all
  select t.place + 1, (
    select e.tool_name from events e
    where e.workspace_id = $1 and e.attested and not e.served and e.tool_name > t.tool_name
    order by e.tool_name limit 1
  )
  from tools t where t.tool_name is not null and t.place < 1000
)
select t.tool_name
from tools t
where t.tool_name is not null and exists (
  select from events e
  where e.workspace_id = $1 and e.tool_name = t.tool_name and e.attested and not e.served
    and e.start_time >= $2 and e.start_time < $3
)
order by t.tool_name
