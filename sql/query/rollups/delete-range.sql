-- Deletes a workspace's rows of a tier from $3 to $4, except those that start at $5, and returns the starts of the deleted rows.
-- index: rollups_pkey
delete from rollups
where workspace_id = $1 and tier = $2 and start_time >= to_timestamp($3) and start_time < to_timestamp($4)
  and start_time <> all (select to_timestamp(kept) from unnest($5::bigint[]) kept)
returning extract(epoch from start_time)::bigint as start_s
