-- Locks agents by their names, so that none of them is removed as empty before the transaction ends.
-- index: agents_workspace_id_name_key
select from agents a
where (a.workspace_id, a.name) in (select * from unnest($1::uuid[], $2::text[]))
order by a.workspace_id, a.name
for key share
