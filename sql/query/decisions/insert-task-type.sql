-- A new kind of task; no row where the name has one.
-- scope: $1
insert into task_types (workspace_id, name, id) values ($1, $2, $3)
on conflict (workspace_id, name) do nothing
returning id
