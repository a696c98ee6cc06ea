-- Reads the position at which a tail starts: the snapshot, the number of events stored for the workspace in it, and the timeline. A replica
-- that takes over begins a new timeline, and reuses the numbers of the transactions that it lacks.
-- index: usage_days_pkey
select pg_current_snapshot()::text as snapshot, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
  (select coalesce(sum(stored), 0)::float8 from usage_days where workspace_id = $1) as stored
