-- Lists workspaces with deltas, after $1 in the order of their ids, at most $2: how long the oldest delta has waited, and the number of
-- deltas, up to a thousand. One index look-up for each workspace, not for each delta.
-- index: rollup_deltas_pkey
with recursive heads as (
  (select workspace_id, at from rollup_deltas where workspace_id > $1::uuid order by workspace_id, id limit 1)
  union all
  select next.workspace_id, next.at
  from heads
  cross join lateral (
    select workspace_id, at from rollup_deltas where workspace_id > heads.workspace_id order by workspace_id, id limit 1
  ) next
)
select h.workspace_id, extract(epoch from clock_timestamp() - h.at)::float8 * 1000 as age_ms,
  (select count(*) from (select from rollup_deltas d where d.workspace_id = h.workspace_id limit 1000) counted) as deltas,
  exists (select from workspaces w where w.id = h.workspace_id and w.deleted_at is null) as alive
from heads h
limit $2
