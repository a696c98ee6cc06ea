-- while the secret is being changed: a batch of sessions, by id
select id, sealed_secret from sessions where id > $1 order by id limit $2
