-- Finds a live workspace, without a lock: for polls, each of which would write one.
-- index: workspaces_pkey
select id from workspaces where id = $1 and deleted_at is null
