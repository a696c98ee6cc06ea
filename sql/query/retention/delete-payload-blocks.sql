-- Deletes up to $3 payload blocks of a workspace whose latest span started before $2.
-- index: payload_blocks_by_start
delete from payload_blocks
where workspace_id = $1 and start_time < $2 and id = any (array(
  select id from payload_blocks where workspace_id = $1 and start_time < $2 order by start_time limit $3
))
