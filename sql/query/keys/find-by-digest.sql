-- every request with a key that is not in memory
-- index: api_keys_digest_key
select k.id, k.workspace_id, k.expires_at
from api_keys k join workspaces w on w.id = k.workspace_id
where k.digest = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and w.deleted_at is null
