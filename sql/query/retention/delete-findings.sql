-- Deletes up to $3 resolved findings that were last seen before $2. Their evidence has been removed by then as well.
-- scope: $1
-- index: findings_by_last_seen
delete from findings
where id = any (array(
  select id from findings
  where workspace_id = $1 and status = 'resolved' and last_seen < $2
  order by last_seen, id limit $3
))
