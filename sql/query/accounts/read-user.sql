-- who a session belongs to
select id, email, name, time_zone, created_at from users where id = $1
