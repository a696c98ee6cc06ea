-- Reads the role of a user in the org of a workspace. No row where the workspace is missing, deleted or belongs to another org.
-- index: workspaces_pkey, memberships_pkey
select m.role
from workspaces w join memberships m on m.org_id = w.org_id
where w.id = $1 and w.deleted_at is null and m.user_id = $2
