-- Rows of a tier in some spans of time, the first 1,996 bytes of their totals: a head is shorter as a rule, and what is stored out of
-- line comes in pieces of that size. The first $5 of each span, and $5 at most. Fewer are all there are.
-- index: rollups_pkey
select r.*
from unnest($3::bigint[], $4::bigint[]) as span (from_s, to_s)
cross join lateral (
  select extract(epoch from start_time)::bigint as start_s, substring(total from 1 for 1996) as total
  from rollups
  where workspace_id = $1 and tier = $2 and start_time >= to_timestamp(span.from_s) and start_time < to_timestamp(span.to_s)
  order by start_time
  limit $5
) r
limit $5
