-- The names of agents ($2), as far as they are still there.
-- index: agents_pkey
select id, name from agents where workspace_id = $1 and id = any ($2::uuid[])
