-- Removes up to $3 traces of a workspace whose last span ended before $2; one that is being settled waits for the next batch.
-- An array, since a list of rows to lock may be read again for each row, and then grows.
-- index: traces_by_start
delete from traces
where workspace_id = $1 and trace_id = any (array(
  select trace_id from traces
  where workspace_id = $1 and start_time < $2 and end_time < $2
  order by start_time
  limit $3
  for update skip locked
))
