-- Writes rows, over those that are there. The bytes of all come as one string ($7): of each row first its total, then its cells.
insert into rollups as r (workspace_id, tier, start_time, total, cells)
select
  workspace_id, tier, to_timestamp(start_s),
  substring($7::bytea from total_at for total_length),
  substring($7::bytea from total_at + total_length for cells_length)
from unnest($1::uuid[], $2::smallint[], $3::bigint[], $4::int[], $5::int[], $6::int[])
  as written (workspace_id, tier, start_s, total_at, total_length, cells_length)
order by workspace_id, tier, start_s
on conflict (workspace_id, tier, start_time) do update set total = excluded.total, cells = excluded.cells
