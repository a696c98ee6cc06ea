-- Rows of a tier in some spans of time, without their cells: the first $5 of each span, and $5 at most. Fewer are all there are.
-- index: rollups_pkey
select r.*
from unnest($3::bigint[], $4::bigint[]) as span (from_s, to_s)
cross join lateral (
  select extract(epoch from start_time)::bigint as start_s, total
  from rollups
  where workspace_id = $1 and tier = $2 and start_time >= to_timestamp(span.from_s) and start_time < to_timestamp(span.to_s)
  order by start_time
  limit $5
) r
limit $5
