-- Stores the last use of many keys, in the order of their ids, which prevents deadlocks between two writers. A time is only ever increased.
-- $1: workspaces, $2: keys, $3: times
-- scope: $1
with used as (
  select k.workspace_id, k.id, u.at
  from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as u (workspace_id, id, at)
  join api_keys k on k.workspace_id = u.workspace_id and k.id = u.id
  order by k.id
  for no key update of k
)
update api_keys k set last_used_at = used.at
from used
where k.workspace_id = used.workspace_id and k.id = used.id and (k.last_used_at is null or k.last_used_at < used.at)
