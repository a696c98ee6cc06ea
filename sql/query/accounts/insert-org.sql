-- signup: the new user's own org
insert into orgs (id, name) values ($1, $2)
