-- leaves a workspace without prices of its own
delete from workspace_prices where workspace_id = $1
