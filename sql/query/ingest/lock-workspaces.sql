-- Finds the live workspaces of a group commit and locks them against the purge until it ends: no row may be added to a purged workspace.
-- Nothing else waits; with a stronger lock, a change or deletion of a busy workspace would wait forever. `timeline`: a replica that takes
-- over begins a new one, and may lack what was stored on the earlier one.
select id, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline from workspaces
where id = any ($1::uuid[]) and deleted_at is null order by id for key share
