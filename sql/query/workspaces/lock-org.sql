-- Serializes the creation of workspaces in one org, so that the cap holds. No row where the org is deleted.
select id from orgs where id = $1 and deleted_at is null for no key update
