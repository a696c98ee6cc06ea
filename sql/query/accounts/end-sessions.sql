-- Ends the live sessions of a user except one. $1: user, $2: the session to keep, null for none, $3: now, $4: reason
-- index: sessions_by_user
update sessions set revoked_at = $3, revoked_reason = $4
where user_id = $1 and id is distinct from $2::uuid and revoked_at is null
