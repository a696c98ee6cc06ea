-- The attested tools that ran from $2 to $3, and which of them may be proposed as a whole: of the type $4 there is nothing on it
-- that lives, and nothing that was disabled since $5. One step along the index a tool, at most a thousand.
-- index: events_attested
with recursive tools as (
  (
    select 1 as place, e.tool_name from events e
    where e.workspace_id = $1 and e.attested and not e.served and e.status <> 'error' and e.tool_name is not null
    order by e.tool_name limit 1
  )
  union all
  select t.place + 1, (
    select e.tool_name from events e
    where e.workspace_id = $1 and e.attested and not e.served and e.status <> 'error' and e.tool_name > t.tool_name
    order by e.tool_name limit 1
  )
  from tools t where t.tool_name is not null and t.place < 1000
)
select t.tool_name, not exists (
    select from decisions d where d.workspace_id = $1 and d.type = $4 and d.tool_name = t.tool_name and d.state <> 'disabled'
  ) and not exists (
    select from decisions d where d.workspace_id = $1 and d.type = $4 and d.tool_name = t.tool_name
      and d.state = 'disabled' and d.disabled_at >= $5
  ) as free
from tools t
where t.tool_name is not null and exists (
  select from events e
  where e.workspace_id = $1 and e.tool_name = t.tool_name and e.attested and not e.served and e.status <> 'error'
    and e.start_time >= $2 and e.start_time < $3
)
order by t.tool_name
