-- Where a tail stands: the snapshot, how many events the workspace had stored in it, and the timeline. A replica that takes over begins another
-- one, and gives the numbers of transactions that it lacks to others.
-- index: usage_days_pkey
select pg_current_snapshot()::text as snapshot, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
  (select coalesce(sum(stored), 0)::float8 from usage_days where workspace_id = $1) as stored
