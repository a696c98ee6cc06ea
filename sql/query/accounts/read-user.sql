-- Reads a user by id.
select id, email, name, time_zone, created_at from users where id = $1
