-- Which instrumentation scopes report calls of models, by workspace: two names at most, since more than one is all that matters.
-- index: workspaces_pkey
select id as workspace_id, call_scopes from workspaces where id = any ($1::uuid[])
