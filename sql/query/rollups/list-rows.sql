-- Lists the next $5 rows of a tier from $3 to $4, in order.
-- index: rollups_pkey
select workspace_id, tier, extract(epoch from start_time)::bigint as start_s, total, cells, sets
from rollups
where workspace_id = $1 and tier = $2 and start_time >= to_timestamp($3) and start_time < to_timestamp($4)
order by start_time
limit $5
