-- a live workspace: minting, deleting and changing wait for one another
select id, org_id from workspaces where id = $1 and deleted_at is null for no key update
