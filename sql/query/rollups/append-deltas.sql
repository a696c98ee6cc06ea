-- Adds what this transaction changed in the counts, one row a workspace; waits for nobody. Bodies come as one string of bytes ($7),
-- and so do their sets ($10).
insert into rollup_deltas (workspace_id, from_time, to_time, stale_minutes, body, sets)
select
  workspace_id, to_timestamp(from_s), to_timestamp(to_s), stale_minutes::timestamptz[],
  substring($7::bytea from body_at for body_length), substring($10::bytea from sets_at for sets_length)
from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::int[], $6::int[], $8::int[], $9::int[])
  as appended (workspace_id, from_s, to_s, stale_minutes, body_at, body_length, sets_at, sets_length)
