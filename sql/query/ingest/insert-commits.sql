-- What this transaction stored, by workspace: where the tail finds it.
insert into commits (workspace_id, events, first_start_time, last_start_time)
select workspace_id, count(*), min(start_time), max(start_time) from stage group by workspace_id
