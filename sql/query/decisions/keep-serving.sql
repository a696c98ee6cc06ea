-- Stores what a decision serves: its inputs ($3), up to an age ($4, s), of results that were executed after $6 (µs, or null), and whether
-- it is proven ($5).
-- scope: $1
-- index: decisions_pkey
update decisions d set
  inputs = $3::text[],
  served_freshness_s = $4,
  proven = $5,
  doubted_until = 'epoch'::timestamptz + $6::bigint * interval '1 microsecond',
  inputs_changed_at = case when d.inputs is distinct from $3::text[] then clock_timestamp() else d.inputs_changed_at end
where d.workspace_id = $1 and d.id = $2
