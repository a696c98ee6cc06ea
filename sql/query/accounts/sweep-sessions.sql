-- sessions whose last token has expired
delete from sessions where id in (select id from sessions where expires_at < $1 limit 10000)
