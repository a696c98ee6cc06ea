-- the cap on workspaces of a plan ($2) that one user made: those that they can still reach, in orgs that they are a member of
-- index: workspaces_by_maker, memberships_pkey
select count(*) as live
from workspaces w join memberships m on m.org_id = w.org_id and m.user_id = w.created_by
where w.created_by = $1 and w.plan = $2 and w.deleted_at is null
