-- The blocks of rows that were stored; a block all of whose spans were duplicates is not. Twice only where a batch was halved.
insert into payload_blocks (workspace_id, id, start_time, body)
select workspace_id, id, start_time, body from stage_blocks
where id in (select payload_id from stage)
on conflict do nothing
