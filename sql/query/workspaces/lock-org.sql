-- workspaces of one org are made one after the other, so that the cap holds
select id from orgs where id = $1 for no key update
