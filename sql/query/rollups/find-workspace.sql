-- A workspace, unless it is deleted. The purge passes it by until the transaction ends.
-- index: workspaces_pkey
select id from workspaces where id = $1 and deleted_at is null for key share
