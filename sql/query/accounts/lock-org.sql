-- changes of one org's members wait for one another; no row where the org is deleted
select id, name from orgs where id = $1 and deleted_at is null for no key update
