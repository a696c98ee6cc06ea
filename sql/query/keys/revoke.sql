-- Revokes a key. A second call changes nothing; `changed` shows whether this call revoked it.
-- scope: $1
-- index: api_keys_pkey
with before as (select id, revoked_at from api_keys where workspace_id = $1 and id = $2 for no key update)
update api_keys k set revoked_at = coalesce(k.revoked_at, now())
from before
where k.workspace_id = $1 and k.id = before.id
returning encode(k.digest, 'hex') as digest_hex, before.revoked_at is null as changed
