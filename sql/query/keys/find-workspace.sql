-- which workspace a key belongs to
-- index: api_keys_pkey
select workspace_id from api_keys where id = $1
