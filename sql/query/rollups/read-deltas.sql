-- The next $5 deltas of a workspace after $4 that touch a window.
-- index: rollup_deltas_pkey
select id, body
from rollup_deltas
where workspace_id = $1 and id > $4 and from_time < to_timestamp($3) and to_time > to_timestamp($2)
order by id
limit $5
