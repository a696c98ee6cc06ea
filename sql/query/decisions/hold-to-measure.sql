-- Holds a decision until the transaction ends, where it is still what it was when it was read ($3); no row where it is not, or where
-- someone else holds it. Its workspace is held first, as when it moves; no row where that is gone.
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
