-- Lists the keys of one workspace ($2) or of all that the user ($1) can see, newest first.
select
  key_id as id, key_workspace_id as workspace_id, key_prefix, key_name as name, key_created_at as created_at,
  key_last_used_at as last_used_at, key_revoked_at as revoked_at
from list_keys($1, $2, $3, $4)
order by key_created_at desc, key_id desc
