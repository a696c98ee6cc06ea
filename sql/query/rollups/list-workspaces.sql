-- Lists live workspaces in the order of their ids, after $1.
select id from workspaces where deleted_at is null and id > $1::uuid order by id limit $2
