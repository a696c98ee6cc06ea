-- a reset: also whoever makes the user a member of an org waits, as what a link may do depends on that
select id from users where id = $1 for update
