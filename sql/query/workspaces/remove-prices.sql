-- Deletes the prices that a workspace has set itself.
-- scope: $1
delete from workspace_prices where workspace_id = $1
