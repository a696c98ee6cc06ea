-- Reads the names of those agents ($2) that still exist.
-- index: agents_pkey
select id, name from agents where workspace_id = $1 and id = any ($2::uuid[])
