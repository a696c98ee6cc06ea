-- Reads which instrumentation scopes report calls of models, by workspace: at most two names, since only "more than one" matters.
-- index: workspaces_pkey
select id as workspace_id, call_scopes from workspaces where id = any ($1::uuid[])
