-- Deletes up to $2 rows of a deleted workspace, from all tables with a workspace_id.
select purge_workspace($1, $2) as removed
