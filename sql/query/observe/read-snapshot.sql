-- Where a tail stands: the snapshot, and how many events the workspace had stored in it.
-- index: usage_days_pkey
select pg_current_snapshot()::text as snapshot,
  (select coalesce(sum(stored), 0)::float8 from usage_days where workspace_id = $1) as stored
