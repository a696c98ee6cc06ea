-- Corrects the counts of the minutes from $2 to $3 (Unix seconds) to those of their events: appends the difference to all stored counts,
-- folded or not. It is one statement, so that it reads one snapshot. The caller holds the workspace.
-- index: events_pkey, scope_counts_pkey, scope_deltas_pkey
with parts as (
  -- Counted as in rollups/read-scopes.
  select
    date_bin('1 minute', start_time, 'epoch'::timestamptz) as minute,
    coalesce(scope_name, '') as scope_name, coalesce(scope_version, '') as scope_version, coalesce(dialect, '') as dialect, kind,
    count(*) as spans,
    count(*) filter (where 'told_twice' = any (flags)) as told_twice,
    count(*) filter (where 'told_twice' = any (flags) and not counted) as repeated,
    count(*) filter (where kind in ('llm', 'embedding') and counted and 'unpriced' = any (flags)) as unpriced,
    count(*) filter (where 'cost_disagrees' = any (flags)) as cost_disagreements,
    coalesce(sum(abs(coalesce(provided_cost_usd, 0) - coalesce(cost_usd, 0))) filter (where 'cost_disagrees' = any (flags)), 0) as cost_disagreement_usd,
    count(*) filter (where agent_unnamed) as agents_unnamed,
    max(start_time) as last_start
  from events
  where workspace_id = $1 and start_time >= to_timestamp($2) and start_time < to_timestamp($3)
  group by 1, 2, 3, 4, 5
  union all
  select start_time, scope_name, scope_version, dialect, kind, -spans, -told_twice, -repeated, -unpriced, -cost_disagreements,
    -cost_disagreement_usd, -agents_unnamed, last_start
  from scope_counts
  where workspace_id = $1 and tier = 0 and start_time >= to_timestamp($2) and start_time < to_timestamp($3)
  union all
  select minute, scope_name, scope_version, dialect, kind, -spans, -told_twice, -repeated, -unpriced, -cost_disagreements,
    -cost_disagreement_usd, -agents_unnamed, last_start
  from scope_deltas
  where workspace_id = $1 and minute >= to_timestamp($2) and minute < to_timestamp($3)
), difference as (
  select
    minute, scope_name, scope_version, dialect, kind, sum(spans) as spans, sum(told_twice) as told_twice, sum(repeated) as repeated,
    sum(unpriced) as unpriced, sum(cost_disagreements) as cost_disagreements, sum(cost_disagreement_usd) as cost_disagreement_usd,
    sum(agents_unnamed) as agents_unnamed, max(last_start) as last_start
  from parts
  group by 1, 2, 3, 4, 5
)
insert into scope_deltas (workspace_id, minute, scope_name, scope_version, dialect, kind, spans, told_twice, repeated, unpriced,
  cost_disagreements, cost_disagreement_usd, agents_unnamed, last_start)
select $1, minute, scope_name, scope_version, dialect, kind, spans, told_twice, repeated, unpriced, cost_disagreements,
  cost_disagreement_usd, agents_unnamed, last_start
from difference
-- Summing doubles in another order leaves rounding errors.
where (spans, told_twice, repeated, unpriced, cost_disagreements, agents_unnamed) <> (0, 0, 0, 0, 0, 0)
  or abs(cost_disagreement_usd) > 1e-9
