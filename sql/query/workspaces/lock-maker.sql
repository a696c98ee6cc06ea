-- Serializes the creation of workspaces by one user, in whichever orgs, so that the cap holds.
select id from users where id = $1 for no key update
