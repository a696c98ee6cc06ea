-- login
-- index: users_email_key
select id, email, name, created_at, password_hash from users where email = $1
