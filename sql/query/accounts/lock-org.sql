-- changes of one org's members wait for one another
select id, name from orgs where id = $1 for no key update
