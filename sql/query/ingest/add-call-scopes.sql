-- Adds names of scopes to workspaces that have fewer than two. A second transaction that adds to the same workspace waits and then sees
-- both names. Locks in the order of keys, which prevents deadlocks.
-- index: workspaces_pkey
with given as (
  select workspace_id, array_agg(distinct scope_name) as scope_names
  from unnest($1::uuid[], $2::text[]) as given (workspace_id, scope_name)
  group by 1
), held as materialized (
  select w.id from workspaces w where w.id in (select workspace_id from given) order by w.id for no key update
)
update workspaces w
set call_scopes = array(
  select distinct scope_name from unnest(w.call_scopes || g.scope_names) as scopes (scope_name) order by 1 limit 2
)
from held h join given g on g.workspace_id = h.id
where w.id = h.id and cardinality(w.call_scopes) < 2
