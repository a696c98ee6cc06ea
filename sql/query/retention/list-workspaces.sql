-- Lists live workspaces in the order of their ids, after $1.
select id, plan, retention_days from workspaces where deleted_at is null and ($1::uuid is null or id > $1) order by id limit $2
