-- Finds the workspace that a key belongs to.
select workspace_id from find_key_workspace($1) as found (workspace_id) where workspace_id is not null
