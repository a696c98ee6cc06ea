-- Deletes up to $3 invalidations of a workspace that were made before $2.
-- scope: $1
-- index: invalidations_pkey
delete from invalidations
where workspace_id = $1 and id = any (array(
  select id from invalidations where workspace_id = $1 and at < $2 limit $3
))
