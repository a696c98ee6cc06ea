-- Locks a live workspace until the transaction ends, so that its purge waits. No row where the workspace is deleted: nothing may be written
-- there then, because a finished purge does not run again.
-- index: workspaces_pkey
select id from workspaces where id = $1 and deleted_at is null for key share
