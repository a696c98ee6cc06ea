-- Holds the workspaces of a group commit against deletion; a missing one is deleted and must not come back to life.
select id from workspaces where id = any ($1::uuid[]) and deleted_at is null order by id for share
