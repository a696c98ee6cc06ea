-- Appends the changes of this transaction to the counts of instrumentation scopes, without waiting for a lock.
insert into scope_deltas (workspace_id, minute, scope_name, scope_version, dialect, kind, spans, told_twice, repeated, unpriced,
  cost_disagreements, cost_disagreement_usd, agents_unnamed, last_start)
select
  workspace_id, to_timestamp(minute_s), scope_name, scope_version, dialect, kind, spans, told_twice, repeated, unpriced,
  cost_disagreements, cost_disagreement_usd, agents_unnamed, 'epoch'::timestamptz + last_us * interval '1 microsecond'
from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[],
    $10::bigint[], $11::bigint[], $12::float8[], $13::bigint[], $14::bigint[])
  as appended (workspace_id, minute_s, scope_name, scope_version, dialect, kind, spans, told_twice, repeated, unpriced,
    cost_disagreements, cost_disagreement_usd, agents_unnamed, last_us)
