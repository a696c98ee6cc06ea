-- Reads the oldest $2 deltas of each workspace.
-- index: rollup_deltas_pkey
select d.*
from unnest($1::uuid[]) as held (workspace_id)
cross join lateral (
  select workspace_id, id, extract(epoch from from_time)::bigint as from_s, extract(epoch from to_time)::bigint as to_s,
    array(select extract(epoch from stale)::float8 from unnest(stale_minutes) stale) as stale_s, body, sets
  from rollup_deltas
  where workspace_id = held.workspace_id
  order by id
  limit $2
) d
