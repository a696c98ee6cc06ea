-- keys of one workspace ($2) or of all that the user ($1) can see, newest first
-- index: api_keys_by_workspace
select k.id, k.workspace_id, k.key_prefix, k.name, k.created_at, k.last_used_at, k.revoked_at
from memberships m
join workspaces w on w.org_id = m.org_id and w.deleted_at is null
join api_keys k on k.workspace_id = w.id
where m.user_id = $1 and ($2::uuid is null or w.id = $2)
order by k.created_at desc, k.id desc
limit $3 offset $4
