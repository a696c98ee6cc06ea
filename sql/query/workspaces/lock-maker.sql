-- workspaces of one maker are made one after the other, in whichever orgs, so that the cap holds
select id from users where id = $1 for no key update
