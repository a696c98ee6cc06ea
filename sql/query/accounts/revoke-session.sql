-- Ends a session at logout.
update sessions set revoked_at = $2, revoked_reason = 'logout' where id = $1 and revoked_at is null
