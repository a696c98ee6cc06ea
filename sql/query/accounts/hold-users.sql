-- Locks users, in the order of their ids, before rows that refer to them are added. A transaction that deletes one of them waits.
-- index: users_pkey
select id from users where id = any($1::uuid[]) order by id for key share
