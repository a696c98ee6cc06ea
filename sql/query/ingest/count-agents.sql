-- Slots of its agent cap that a workspace has given away, read under its cap lock.
select count(*) as agents from agents where workspace_id = $1 and not provisional
