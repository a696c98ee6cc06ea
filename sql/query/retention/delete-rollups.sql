-- Deletes up to $3 rollups of a workspace from days before $2.
-- index: rollups_pkey
delete from rollups
where ctid = any (array(
  select r.ctid
  from unnest(array[0, 1, 2]::smallint[]) as tiers (tier)
  cross join lateral (
    select ctid from rollups where workspace_id = $1 and tier = tiers.tier and start_time < $2 order by start_time limit $3
  ) r
  limit $3
))
