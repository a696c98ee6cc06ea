-- tombstones with data left, oldest first
-- index: workspaces_to_purge
select id from workspaces where deleted_at is not null and purged_at is null order by deleted_at limit 100
