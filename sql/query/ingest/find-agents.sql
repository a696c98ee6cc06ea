-- Finds and locks the agents of these names, as ingest/lock-agents does, before it is known whether their workspaces are alive. Those of a
-- deleted workspace are left out: they belong to the purge, and this transaction must not wait for it.
-- index: agents_workspace_id_name_key
select k.place::integer, a.id, a.provisional
from unnest($1::uuid[], $2::text[]) with ordinality as k (workspace_id, name, place)
join agents a on a.workspace_id = k.workspace_id and a.name = k.name
where exists (select from workspaces w where w.id = k.workspace_id and w.deleted_at is null)
order by a.workspace_id, a.name
for key share of a
