-- A live workspace, whose purge waits until the transaction ends; no row where it is gone. Nothing may be written there then: a purge
-- that has ended does not come back.
-- index: workspaces_pkey
select id from workspaces where id = $1 and deleted_at is null for key share
