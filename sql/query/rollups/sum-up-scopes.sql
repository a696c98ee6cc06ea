-- Writes the counts of scopes of the hours (tier 1) or days (2) from $3 to $4 (Unix seconds), where none exist, from those of the tier
-- below. A bucket holds the $5 scopes with the most spans; further ones count as one scope with the name `other`.
-- index: scope_counts_pkey
with parts as materialized (
  select
    date_bin(case when $2::smallint = 1 then interval '1 hour' else interval '1 day' end, start_time, 'epoch'::timestamptz) as start_time,
    scope_name, scope_version, dialect, kind, sum(spans) as spans, sum(told_twice) as told_twice, sum(repeated) as repeated,
    sum(unpriced) as unpriced, sum(cost_disagreements) as cost_disagreements, sum(cost_disagreement_usd) as cost_disagreement_usd,
    sum(agents_unnamed) as agents_unnamed, max(last_start) as last_start
  from scope_counts
  where workspace_id = $1 and tier = $2::smallint - 1::smallint and start_time >= to_timestamp($3) and start_time < to_timestamp($4)
  group by 1, 2, 3, 4, 5
  having sum(spans) <> 0
), placed as (
  select start_time, scope_name, scope_version, dialect,
    row_number() over (partition by start_time order by sum(spans) desc, scope_name, scope_version, dialect) as place
  from parts
  group by 1, 2, 3, 4
)
insert into scope_counts (workspace_id, tier, start_time, scope_name, scope_version, dialect, kind, spans, told_twice, repeated, unpriced,
  cost_disagreements, cost_disagreement_usd, agents_unnamed, last_start)
select
  $1, $2, start_time,
  case when place <= $5 then scope_name else 'other' end,
  case when place <= $5 then scope_version else '' end,
  case when place <= $5 then dialect else '' end,
  kind, sum(spans), sum(told_twice), sum(repeated), sum(unpriced), sum(cost_disagreements), sum(cost_disagreement_usd),
  sum(agents_unnamed), max(last_start)
from parts
join placed using (start_time, scope_name, scope_version, dialect)
group by 1, 2, 3, 4, 5, 6, 7
