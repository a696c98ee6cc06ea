-- who a session belongs to
select id, email, name, created_at from users where id = $1
