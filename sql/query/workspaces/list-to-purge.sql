-- Lists deleted workspaces that still have data, oldest first. $1: the last one of the page before; null for the first page
-- index: workspaces_to_purge
select id from workspaces
where deleted_at is not null and purged_at is null
  and ($1::uuid is null or (deleted_at, id) > (select last.deleted_at, last.id from workspaces last where last.id = $1))
order by deleted_at, id
limit 100
