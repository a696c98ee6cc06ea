-- Deletes the counts of scopes of a tier from $3 to $4 (Unix seconds).
-- index: scope_counts_pkey
delete from scope_counts
where workspace_id = $1 and tier = $2 and start_time >= to_timestamp($3) and start_time < to_timestamp($4)
