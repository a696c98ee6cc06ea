-- index: agents_workspace_id_name_key
select name from agents where workspace_id = $1 and name = any ($2::text[])
