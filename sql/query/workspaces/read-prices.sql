-- Reads the prices that a live workspace has set, with their revision; nulls where it has set none.
-- scope: $1
select p.revision, p.prices
from workspaces w left join workspace_prices p on p.workspace_id = w.id
where w.id = $1 and w.deleted_at is null
