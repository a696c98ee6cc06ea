-- Lists the workspaces of all orgs that the user belongs to.
-- index: workspaces_by_org
select w.id, w.name, w.org_id, o.name as org_name
from memberships m
join workspaces w on w.org_id = m.org_id and w.deleted_at is null
join orgs o on o.id = w.org_id
where m.user_id = $1
order by o.name, w.name, w.id
