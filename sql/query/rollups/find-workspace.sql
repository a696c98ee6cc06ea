-- Finds a live workspace and locks it against the purge until the transaction ends.
-- index: workspaces_pkey
select id from workspaces where id = $1 and deleted_at is null for key share
