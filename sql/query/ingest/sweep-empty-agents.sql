-- Empty agents that a settling left behind because it was cut off before it could remove them, or because they were held.
delete from agents
where (workspace_id, id) in (select workspace_id, id from agents where events <= 0 for update skip locked)
