-- Returns a row if the workspace has this agent.
-- index: agents_pkey
select id from agents where workspace_id = $1 and id = $2
