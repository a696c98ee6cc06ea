-- refresh: what proves that a token is ours; a session keeps its user and its key, however that is sealed
select user_id, sealed_secret from sessions where id = $1
