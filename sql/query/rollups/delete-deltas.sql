-- Deletes the deltas of each workspace up to the last one that was read. Only in one snapshot are these the deltas that were read: a delta
-- with a smaller id may be committed later than one with a greater id.
-- index: rollup_deltas_pkey
delete from rollup_deltas
where ctid = any (array(
  select d.ctid
  from unnest($1::uuid[], $2::bigint[]) as taken (workspace_id, last_id)
  cross join lateral (
    select ctid from rollup_deltas where workspace_id = taken.workspace_id and id <= taken.last_id order by id
  ) d
))
