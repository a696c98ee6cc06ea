-- Deletes rows by their keys.
-- index: rollups_pkey
delete from rollups
where ctid = any (array(
  select r.ctid
  from unnest($1::uuid[], $2::smallint[], $3::bigint[]) as gone (workspace_id, tier, start_s)
  cross join lateral (
    select ctid from rollups
    where workspace_id = gone.workspace_id and tier = gone.tier and start_time = to_timestamp(gone.start_s)
    limit 1
  ) r
))
