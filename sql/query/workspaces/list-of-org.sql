-- the live workspaces of an org, in the order in which they are locked
-- index: workspaces_by_org
select id from workspaces where org_id = $1 and deleted_at is null order by id
