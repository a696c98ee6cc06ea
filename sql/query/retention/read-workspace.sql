-- Reads the plan of a live workspace and the retention days that it chose itself, just before a batch of its data is removed.
-- index: workspaces_pkey
select plan, retention_days from workspaces where id = $1 and deleted_at is null
