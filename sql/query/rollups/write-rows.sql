-- Writes rows and replaces existing ones. The bytes of all rows are passed as one string ($8): for each row, from its offset on, its total,
-- its cells and its sets. Sets without a length are null. `writes` shows that the sets were written with the rest (migration 0022).
insert into rollups as r (workspace_id, tier, start_time, total, cells, sets)
select
  workspace_id, tier, to_timestamp(start_s),
  substring($8::bytea from row_at for total_length),
  substring($8::bytea from row_at + total_length for cells_length),
  substring($8::bytea from row_at + total_length + cells_length for sets_length)
from unnest($1::uuid[], $2::smallint[], $3::bigint[], $4::int[], $5::int[], $6::int[], $7::int[])
  as written (workspace_id, tier, start_s, row_at, total_length, cells_length, sets_length)
order by workspace_id, tier, start_s
on conflict (workspace_id, tier, start_time) do update set
  total = excluded.total, cells = excluded.cells, sets = excluded.sets, writes = r.writes + 1
