-- Of the part from $2 to $3 of the minute from $4 to $5: whether the minute has events outside it, and how many are in it, up to $6.
-- index: events_pkey
select
  exists (select from events where workspace_id = $1 and start_time >= $4 and start_time < $2)
    or exists (select from events where workspace_id = $1 and start_time >= $3 and start_time < $5) as cut,
  (select count(*) from (
    select from events where workspace_id = $1 and start_time >= $2 and start_time < $3 limit $6
  ) counted) as events
