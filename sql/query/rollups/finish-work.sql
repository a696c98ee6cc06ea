-- Deletes one unit of work.
-- index: rollup_work_pkey
delete from rollup_work where workspace_id = $1 and kind = $2 and start_time = to_timestamp($3)
