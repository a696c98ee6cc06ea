-- Deletes up to 10,000 windows that have ended.
delete from throttles where key in (select key from throttles where expires_at < $1 limit 10000)
