-- Locks a decision until the transaction ends, if it is unchanged since it was read ($3). No row where it has changed or another process
-- holds it. The workspace is locked first, as when a decision changes its state; no row where the workspace is deleted.
-- scope: $1
-- index: decisions_pkey
with home as materialized (
  select id from workspaces where id = $1 and deleted_at is null for key share skip locked
)
select d.id
from home
join decisions d on d.workspace_id = home.id
where d.workspace_id = $1 and d.id = $2 and concat_ws(' ', d.changed_at, d.measured_at) = $3
for update of d skip locked
