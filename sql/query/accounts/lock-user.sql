-- sign-ins of one user wait for one another, so that the cap on sessions holds
select id from users where id = $1 for no key update
