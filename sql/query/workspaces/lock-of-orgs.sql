-- the live workspaces of orgs that are deleted: minting, deleting and changing wait. In the order of their ids
-- index: workspaces_by_org
select id, org_id from workspaces where org_id = any($1::uuid[]) and deleted_at is null order by id for no key update
