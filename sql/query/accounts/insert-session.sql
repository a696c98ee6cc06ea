-- Inserts a session at sign-in.
insert into sessions (id, user_id, sealed_secret, created_at, rotated_at, idle_expires_at, expires_at, user_agent, ip_prefix)
values ($1, $2, $3, $4, $4, $5, $6, $7, $8)
