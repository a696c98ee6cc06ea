-- Reads the user of a live session. $1: session, $2: user
-- index: users_pkey, sessions_pkey
select u.email, u.name, u.password_hash
from users u join sessions s on s.user_id = u.id
where s.id = $1 and u.id = $2 and s.revoked_at is null and s.expires_at > now()
