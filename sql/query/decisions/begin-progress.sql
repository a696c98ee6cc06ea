-- Inserts the row with the progress of the loop in a workspace, unless the row exists or the workspace does not.
-- scope: $1
-- index: optimizer_progress_pkey
insert into optimizer_progress (workspace_id)
select w.id from workspaces w where w.id = $1 and w.deleted_at is null
on conflict (workspace_id) do nothing
