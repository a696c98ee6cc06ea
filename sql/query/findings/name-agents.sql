-- Reads the names of the given agents.
-- index: agents_pkey
select id, name from agents where workspace_id = $1 and id = any ($2::uuid[])
