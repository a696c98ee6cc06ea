-- Locks the live workspaces of orgs that are being deleted, in the order of their ids, so that minting keys, deletions and changes wait.
-- index: workspaces_by_org
select id, org_id from workspaces where org_id = any($1::uuid[]) and deleted_at is null order by id for no key update
