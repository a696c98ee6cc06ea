-- Counts the live workspaces of an org, for the cap on workspaces.
-- index: workspaces_by_org
select count(*) as live from workspaces where org_id = $1 and deleted_at is null
