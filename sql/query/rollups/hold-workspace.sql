-- Locks a live workspace until the transaction ends, so that its purge waits. No row if the workspace is deleted.
-- index: workspaces_pkey
select id from workspaces where id = $1 and deleted_at is null for key share
