-- workspaces of one org are made one after the other, so that the cap holds; no row where the org is deleted
select id from orgs where id = $1 and deleted_at is null for no key update
