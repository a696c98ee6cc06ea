-- Names the objects that lines of the audit log apply to, as far as they still exist. $1: their ids, $2: the workspaces of the lines
-- scope: $2
-- index: users_pkey, invites_pkey, workspaces_pkey, api_keys_pkey, decisions_pkey, agents_pkey
select id, email as name from users where id = any($1::uuid[])
union all
select id, email from invites where id = any($1::uuid[])
union all
select id, name from workspaces where id = any($1::uuid[])
union all
select id, name from api_keys where workspace_id = any($2::uuid[]) and id = any($1::uuid[])
union all
select d.id, d.tool_name || coalesce(' by ' || a.name, '')
from decisions d left join agents a on a.workspace_id = d.workspace_id and a.id = d.agent_id
where d.workspace_id = any($2::uuid[]) and d.id = any($1::uuid[])
