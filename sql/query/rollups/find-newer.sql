-- Finds a row in the given intervals (tiers $2, from $3 to before $4, in seconds) that a newer release wrote: its total, cells or sets
-- begin with a version above $5, $6 or $7.
-- index: rollups_pkey
select r.start_time
from unnest($2::smallint[], $3::bigint[], $4::bigint[]) as span (of_tier, from_s, to_s)
cross join lateral (
  select start_time
  from rollups
  where workspace_id = $1 and tier = span.of_tier
    and start_time >= to_timestamp(span.from_s) and start_time < to_timestamp(span.to_s)
    and (get_byte(substring(total from 1 for 1), 0) > $5::int or get_byte(substring(cells from 1 for 1), 0) > $6::int
      or get_byte(substring(sets from 1 for 1), 0) > $7::int)
  limit 1
) r
limit 1
