-- Writes rows, over those that are there. The bytes of all come as one string ($10): of each row, from where it begins, its columns one
-- behind the other. A set without a length is null. `writes` tells that they were written together (migration 0021).
insert into rollups as r (workspace_id, tier, start_time, total, cells, traces, sessions, inputs)
select
  workspace_id, tier, to_timestamp(start_s),
  substring($10::bytea from row_at for total_length),
  substring($10::bytea from row_at + total_length for cells_length),
  substring($10::bytea from row_at + total_length + cells_length for traces_length),
  substring($10::bytea from row_at + total_length + cells_length + coalesce(traces_length, 0) for sessions_length),
  substring($10::bytea from row_at + total_length + cells_length + coalesce(traces_length, 0) + coalesce(sessions_length, 0)
    for inputs_length)
from unnest($1::uuid[], $2::smallint[], $3::bigint[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[])
  as written (workspace_id, tier, start_s, row_at, total_length, cells_length, traces_length, sessions_length, inputs_length)
order by workspace_id, tier, start_s
on conflict (workspace_id, tier, start_time) do update set
  total = excluded.total, cells = excluded.cells,
  traces = excluded.traces, sessions = excluded.sessions, inputs = excluded.inputs, writes = r.writes + 1
