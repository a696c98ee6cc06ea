-- Rows of a tier in some spans of time, the heads of their totals: the first $5 of each span, and $5 at most. Fewer are all there are.
-- What is stored out of line comes in pieces of 1,996 bytes, and nearly every head ends in the first; the two bytes behind the version
-- tell its length, so that little more is sent.
-- index: rollups_pkey
select start_s, substring(piece from 1 for 3 + (get_byte(piece, 1) & 127) + 128 * get_byte(piece, 2)) as total
from (
  select r.*
  from unnest($3::bigint[], $4::bigint[]) as span (from_s, to_s)
  cross join lateral (
    select extract(epoch from start_time)::bigint as start_s, substring(total from 1 for 1996) as piece
    from rollups
    where workspace_id = $1 and tier = $2 and start_time >= to_timestamp(span.from_s) and start_time < to_timestamp(span.to_s)
    order by start_time
    limit $5
  ) r
  limit $5
) heads
