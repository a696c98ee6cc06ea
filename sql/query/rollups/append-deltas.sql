-- Appends the changes of this transaction to the rollups as deltas, one row for each workspace, without waiting for a lock. All bodies are
-- passed as one string of bytes ($7), and all sets as another ($10).
insert into rollup_deltas (workspace_id, from_time, to_time, stale_minutes, body, sets)
select
  workspace_id, to_timestamp(from_s), to_timestamp(to_s), stale_minutes::timestamptz[],
  substring($7::bytea from body_at for body_length), substring($10::bytea from sets_at for sets_length)
from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::int[], $6::int[], $8::int[], $9::int[])
  as appended (workspace_id, from_s, to_s, stale_minutes, body_at, body_length, sets_at, sets_length)
