-- Reads the org of a workspace.
-- index: workspaces_pkey
select org_id from workspaces where id = $1
