-- Agents of a workspace, read under its cap lock.
select count(*) as agents from agents where workspace_id = $1
