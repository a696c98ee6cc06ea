-- Makes the row that says how far the loop has looked through a workspace, unless it is there or the workspace is not.
-- scope: $1
-- index: optimizer_progress_pkey
insert into optimizer_progress (workspace_id)
select w.id from workspaces w where w.id = $1 and w.deleted_at is null
on conflict (workspace_id) do nothing
