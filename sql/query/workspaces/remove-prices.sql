-- leaves a workspace without prices of its own
-- scope: $1
delete from workspace_prices where workspace_id = $1
