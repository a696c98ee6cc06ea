-- Counts the live workspaces of a plan ($2) that one user made, for the cap on them: only those in orgs that the user is still a member of.
-- index: workspaces_by_maker, memberships_pkey
select count(*) as live
from workspaces w join memberships m on m.org_id = w.org_id and m.user_id = w.created_by
where w.created_by = $1 and w.plan = $2 and w.deleted_at is null
