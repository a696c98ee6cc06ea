-- deletion: every key stops
-- scope: $1
-- index: api_keys_by_workspace
update api_keys set revoked_at = now() where workspace_id = $1 and revoked_at is null
