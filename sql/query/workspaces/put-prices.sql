-- Replaces the prices of a workspace.
-- scope: $1
insert into workspace_prices (workspace_id, revision, prices) values ($1, $2, $3::jsonb)
on conflict (workspace_id) do update set revision = excluded.revision, prices = excluded.prices
