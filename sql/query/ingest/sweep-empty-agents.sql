-- Deletes empty agents that a settling left behind because it was interrupted before it could delete them, or because they were locked.
delete from agents
where (workspace_id, id) in (select workspace_id, id from agents where events <= 0 for update skip locked)
