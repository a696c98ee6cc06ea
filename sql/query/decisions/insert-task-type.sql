-- Inserts a task type. No row where the name exists.
-- scope: $1
insert into task_types (workspace_id, name, id) values ($1, $2, $3)
on conflict (workspace_id, name) do nothing
returning id
