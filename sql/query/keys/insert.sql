-- Inserts a new key.
-- scope: $1
insert into api_keys (workspace_id, id, name, key_prefix, digest, created_by) values ($1, $2, $3, $4, $5, $6)
returning id, workspace_id, key_prefix, name, created_at, last_used_at, revoked_at
