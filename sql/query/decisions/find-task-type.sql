-- Finds the id of a task type by its name.
-- scope: $1
-- index: task_types_workspace_id_name_key
select id from task_types where workspace_id = $1 and name = $2
