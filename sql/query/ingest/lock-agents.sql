-- Finds and locks the agents of these names, by the numbers of the names. No agent is removed as empty before the transaction ends:
-- settling removes agents that have become empty, but none that is about to get spans. The caller holds their workspaces: one that is
-- deleted in the meantime keeps its agents until the transaction ends.
-- index: agents_workspace_id_name_key
select k.place::integer, a.id, a.provisional
from unnest($1::uuid[], $2::text[]) with ordinality as k (workspace_id, name, place)
join agents a on a.workspace_id = k.workspace_id and a.name = k.name
order by a.workspace_id, a.name
for key share of a
