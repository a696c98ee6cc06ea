-- Finds the workspaces of a group commit that are alive, and keeps the purge away from them until it ends: a deleted one must not
-- come back to life. Nothing else waits: with a stronger lock, deleting or changing a busy workspace would never get its turn.
select id from workspaces where id = any ($1::uuid[]) and deleted_at is null order by id for key share
