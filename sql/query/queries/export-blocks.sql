-- Reads payload blocks in the order of their ids ($2) until their total size reaches $5; the first one whatever its size. $3 and $4: the
-- range of the blocks' start times.
-- index: payload_blocks_pkey
select b.id, b.body
from (
  select p.id, p.body,
    sum(octet_length(p.body)) over (order by array_position($2::uuid[], p.id)) - octet_length(p.body) as bytes_before
  from payload_blocks p
  where p.workspace_id = $1 and p.id = any ($2::uuid[]) and p.start_time >= $3::timestamptz and p.start_time < $4::timestamptz
) b
where b.bytes_before < $5
