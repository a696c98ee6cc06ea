-- Returns a row if a session is neither ended nor expired. $1: session, $2: user
-- index: sessions_pkey
select 1 as live from sessions where id = $1 and user_id = $2 and revoked_at is null and expires_at > now()
