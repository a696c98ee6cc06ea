-- A workspace, unless it is deleted.
-- index: workspaces_pkey
select id from workspaces where id = $1 and deleted_at is null
