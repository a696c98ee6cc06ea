-- Locks a user and reads what the user can change of it.
-- index: users_pkey
select name, time_zone from users where id = $1 for no key update
