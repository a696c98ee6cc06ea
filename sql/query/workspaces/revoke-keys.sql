-- Revokes all keys of a workspace that is deleted. Keys are locked in the order of their ids, as when their last use is written, which
-- prevents deadlocks.
-- scope: $1
-- index: api_keys_by_workspace
with held as materialized (
  select workspace_id, id from api_keys where workspace_id = $1 and revoked_at is null order by id for no key update
)
update api_keys k set revoked_at = now() from held where k.workspace_id = held.workspace_id and k.id = held.id
