-- Finds the key of a request by its digest, where the key is not in memory.
select key_id as id, key_workspace_id as workspace_id, key_expires_at as expires_at from find_key($1)
