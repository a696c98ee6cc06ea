-- Reads those rows of the given keys that exist.
-- index: rollups_pkey
select r.*
from unnest($1::uuid[], $2::smallint[], $3::bigint[]) as wanted (workspace_id, tier, start_s)
cross join lateral (
  select workspace_id, tier, extract(epoch from start_time)::bigint as start_s, total, cells, sets
  from rollups
  where workspace_id = wanted.workspace_id and tier = wanted.tier and start_time = to_timestamp(wanted.start_s)
  limit 1
) r
