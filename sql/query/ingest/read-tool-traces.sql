-- Which kinds of traces with tools the workspaces have had so far.
-- index: workspaces_pkey
select id as workspace_id, infers_tools, reports_tools_alone from workspaces where id = any ($1::uuid[])
