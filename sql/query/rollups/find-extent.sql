-- Finds the first and the last start of a workspace's events and rollups; nulls where it has neither.
-- index: events_pkey, rollups_pkey
select
  least(
    (select extract(epoch from start_time)::float8 from events where workspace_id = $1 order by start_time limit 1),
    (select extract(epoch from start_time)::float8 from rollups where workspace_id = $1 and tier = 0 order by start_time limit 1)
  ) as from_s,
  greatest(
    (select extract(epoch from start_time)::float8 from events where workspace_id = $1 order by start_time desc limit 1),
    (select extract(epoch from start_time)::float8 from rollups where workspace_id = $1 and tier = 0 order by start_time desc limit 1)
  ) as to_s
