-- Finds a user at login and reset by all forms in which the address may be stored; the given form has precedence. $1: the forms
-- index: users_email_key
select id, email, name, time_zone, created_at, password_hash, password_changed_at
from users
where email = any($1::text[])
order by array_position($1::text[], email)
limit 1
