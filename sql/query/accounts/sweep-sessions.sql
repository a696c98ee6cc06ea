-- Deletes up to 10,000 expired sessions.
delete from sessions where id in (select id from sessions where expires_at < $1 limit 10000)
