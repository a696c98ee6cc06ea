-- Lists a batch of sessions by id, to seal their secrets anew during a change of the secret.
select id, sealed_secret from sessions where id > $1 order by id limit $2
