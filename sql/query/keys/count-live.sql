-- Counts the live keys of a workspace, for the cap on keys.
-- scope: $1
-- index: api_keys_by_workspace
select count(*) as live from api_keys where workspace_id = $1 and revoked_at is null
