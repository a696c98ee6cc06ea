-- Reads the counts of each instrumentation scope: rows of tiers ($2) from $3 to $4, deltas of the minutes from $5 to $6 that are not folded
-- yet, and the events of two parts of minutes, from $7 to $8 and from $9 to $10. Times are in Unix microseconds.
-- The $11 scopes with the most spans.
-- index: scope_counts_pkey, scope_deltas_pkey, events_pkey
with counted as (
  select c.*
  from unnest($2::smallint[], $3::bigint[], $4::bigint[]) as span (tier, from_us, to_us)
  cross join lateral (
    select scope_name, scope_version, dialect, kind, spans, told_twice, repeated, unpriced, cost_disagreements, cost_disagreement_usd,
      agents_unnamed, last_start
    from scope_counts
    where workspace_id = $1 and tier = span.tier
      and start_time >= 'epoch'::timestamptz + span.from_us * interval '1 microsecond'
      and start_time < 'epoch'::timestamptz + span.to_us * interval '1 microsecond'
    offset 0
  ) c
  union all
  select scope_name, scope_version, dialect, kind, spans, told_twice, repeated, unpriced, cost_disagreements, cost_disagreement_usd,
    agents_unnamed, last_start
  from scope_deltas
  where workspace_id = $1
    and minute >= 'epoch'::timestamptz + $5::bigint * interval '1 microsecond'
    and minute < 'epoch'::timestamptz + $6::bigint * interval '1 microsecond'
  union all
  -- Counted as in rollups/recount-scopes.
  select
    coalesce(scope_name, ''), coalesce(scope_version, ''), coalesce(dialect, ''), kind, count(*),
    count(*) filter (where 'told_twice' = any (flags)),
    count(*) filter (where 'told_twice' = any (flags) and not counted),
    count(*) filter (where kind in ('llm', 'embedding') and counted and 'unpriced' = any (flags)),
    count(*) filter (where 'cost_disagrees' = any (flags)),
    coalesce(sum(abs(coalesce(provided_cost_usd, 0) - coalesce(cost_usd, 0))) filter (where 'cost_disagrees' = any (flags)), 0),
    count(*) filter (where agent_unnamed),
    max(start_time)
  from (
    select scope_name, scope_version, dialect, kind, flags, counted, cost_usd, provided_cost_usd, agent_unnamed, start_time
    from events
    where workspace_id = $1
      and start_time >= 'epoch'::timestamptz + $7::bigint * interval '1 microsecond'
      and start_time < 'epoch'::timestamptz + $8::bigint * interval '1 microsecond'
    union all
    select scope_name, scope_version, dialect, kind, flags, counted, cost_usd, provided_cost_usd, agent_unnamed, start_time
    from events
    where workspace_id = $1
      and start_time >= 'epoch'::timestamptz + $9::bigint * interval '1 microsecond'
      and start_time < 'epoch'::timestamptz + $10::bigint * interval '1 microsecond'
  ) edges
  group by 1, 2, 3, 4
), by_kind as (
  select
    scope_name, scope_version, dialect, kind,
    sum(spans)::bigint as spans, sum(told_twice)::bigint as told_twice, sum(repeated)::bigint as repeated, sum(unpriced)::bigint as unpriced,
    sum(cost_disagreements)::bigint as cost_disagreements, sum(cost_disagreement_usd) as cost_disagreement_usd,
    sum(agents_unnamed)::bigint as agents_unnamed, max(last_start) as last_start
  from counted
  group by 1, 2, 3, 4
  having sum(spans) > 0
)
select
  scope_name, scope_version, dialect, sum(spans)::bigint as spans, jsonb_object_agg(kind, spans) as by_kind,
  sum(told_twice)::bigint as told_twice, sum(repeated)::bigint as repeated, sum(unpriced)::bigint as unpriced,
  sum(cost_disagreements)::bigint as cost_disagreements, sum(cost_disagreement_usd) as cost_disagreement_usd,
  sum(agents_unnamed)::bigint as agents_unnamed, (extract(epoch from max(last_start)) * 1000000)::bigint as last_us
from by_kind
group by 1, 2, 3
order by 4 desc, 1, 2, 3
limit $11
