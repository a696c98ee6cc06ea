-- users who are about to be referred to: whoever deletes one of them waits. In the order of their ids
-- index: users_pkey
select id from users where id = any($1::uuid[]) order by id for key share
