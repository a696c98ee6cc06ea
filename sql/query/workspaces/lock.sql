-- Locks a live workspace, so that minting keys, its deletion and changes are serialized.
select id, org_id from workspaces where id = $1 and deleted_at is null for no key update
