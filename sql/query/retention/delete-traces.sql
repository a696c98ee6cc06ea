-- Deletes up to $3 traces of a workspace whose last span ended before $2. A trace that is being settled is left to the next batch.
-- The ids are an array, since a subquery that locks rows may be run again for each row and then returns more.
-- index: traces_by_start
delete from traces
where workspace_id = $1 and trace_id = any (array(
  select trace_id from traces
  where workspace_id = $1 and start_time < $2 and end_time < $2
  order by start_time
  limit $3
  for update skip locked
))
