-- The plan of a live workspace, with the days that it chose itself, as they are when a batch of its data is about to be removed.
-- index: workspaces_pkey
select plan, retention_days from workspaces where id = $1 and deleted_at is null
