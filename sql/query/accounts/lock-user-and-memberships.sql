-- Locks a user for a reset. A transaction that makes the user a member of an org waits too,
-- since the user's orgs decide what the link may do.
select id from users where id = $1 for update
