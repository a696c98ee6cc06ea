-- Lists ids of agents of a workspace, at most $2.
-- index: agents_pkey
select id from agents where workspace_id = $1 limit $2
