-- Reads what a refresh token is verified with. A session keeps its user and its key even if the key is sealed anew.
select user_id, sealed_secret from sessions where id = $1
