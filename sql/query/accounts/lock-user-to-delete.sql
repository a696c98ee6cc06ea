-- Locks a user who is being deleted, so that no row that refers to them is added.
select id from users where id = $1 for update
