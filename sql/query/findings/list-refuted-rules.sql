-- Lists the tools and agents whose rule of type $2 was disabled because its results were wrong too often, and that have no live one: the 1,000
-- most recently changed.
-- scope: $1
-- index: decisions_disabled, decisions_by_subject
select d.tool_name, d.agent_id
from decisions d
where d.workspace_id = $1 and d.type = $2 and d.state = 'disabled'
  and (d.score ->> 'verdict' = 'fail' or (jsonb_typeof(d.score -> 'last_breach') = 'object' and d.score ->> 'proven' = 'false'))
  and not exists (
    select from decisions l
    where l.workspace_id = $1 and l.type = $2 and l.tool_name = d.tool_name and l.state <> 'disabled'
      and (l.agent_id is null or l.agent_id is not distinct from d.agent_id)
  )
order by d.changed_at desc, d.id desc
limit 1000
