-- Finds the workspaces of a group commit that are alive, and keeps the purge away from them until it ends: a deleted one must not
-- come back to life. Nothing else waits: with a stronger lock, deleting or changing a busy workspace would never get its turn. The timeline:
-- a replica that takes over begins another one, and may lack what was stored on the one before.
select id, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline from workspaces
where id = any ($1::uuid[]) and deleted_at is null order by id for key share
