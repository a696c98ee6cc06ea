-- Inserts the org of a new user at signup.
insert into orgs (id, name) values ($1, $2)
