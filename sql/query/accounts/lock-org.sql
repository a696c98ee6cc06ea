-- Locks an org, so that changes of its members are serialized. No row where the org is deleted.
select id, name from orgs where id = $1 and deleted_at is null for no key update
