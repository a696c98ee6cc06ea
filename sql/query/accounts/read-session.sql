-- refresh: what proves that a token is ours; neither column ever changes
select user_id, sealed_secret from sessions where id = $1
