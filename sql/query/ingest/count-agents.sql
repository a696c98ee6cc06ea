-- Counts the used slots of a workspace's agent cap. The caller holds the cap lock.
select count(*) as agents from agents where workspace_id = $1 and not provisional
