-- membership by workspace: nothing where the workspace is missing, deleted or foreign
-- index: workspaces_pkey, memberships_pkey
select m.role
from workspaces w join memberships m on m.org_id = w.org_id
where w.id = $1 and w.deleted_at is null and m.user_id = $2
