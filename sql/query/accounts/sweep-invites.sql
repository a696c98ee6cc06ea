-- invites that were spent or have expired
delete from invites where id in (select id from invites where expires_at < $1 limit 10000)
