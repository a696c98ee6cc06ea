-- Deletes up to 10,000 expired invites, accepted or not.
delete from invites where id in (select id from invites where expires_at < $1 limit 10000)
