-- Moves the oldest $2 deltas of each workspace into the counts of their minute, hour and day, and returns how many it moved. A bucket holds
-- at most $3 scopes; further ones count as one scope with the name `other`. Rows are written in the order of keys.
-- The caller holds the workspaces.
-- index: scope_deltas_pkey, scope_counts_pkey
with taken as (
  delete from scope_deltas
  where ctid = any (array(
    select d.ctid
    from unnest($1::uuid[]) as held (workspace_id)
    cross join lateral (select ctid from scope_deltas where workspace_id = held.workspace_id order by id limit $2) d
  ))
  returning *
), sums as materialized (
  select
    workspace_id, tier, date_bin(length, minute, 'epoch'::timestamptz) as start_time, scope_name, scope_version, dialect, kind,
    sum(spans)::bigint as spans, sum(told_twice)::bigint as told_twice, sum(repeated)::bigint as repeated, sum(unpriced)::bigint as unpriced,
    sum(cost_disagreements)::bigint as cost_disagreements, sum(cost_disagreement_usd) as cost_disagreement_usd,
    sum(agents_unnamed)::bigint as agents_unnamed, max(last_start) as last_start
  from taken
  cross join (values (0::smallint, interval '1 minute'), (1::smallint, interval '1 hour'), (2::smallint, interval '1 day')) as tiers (tier, length)
  group by 1, 2, 3, 4, 5, 6, 7
), known as materialized (
  select distinct c.workspace_id, c.tier, c.start_time, c.scope_name, c.scope_version, c.dialect
  from (select distinct workspace_id, tier, start_time from sums) bucket
  cross join lateral (
    select * from scope_counts
    where workspace_id = bucket.workspace_id and tier = bucket.tier and start_time = bucket.start_time
    offset 0
  ) c
), beyond as (
  select *
  from (
    select workspace_id, tier, start_time, s.scope_name, s.scope_version, s.dialect,
      row_number() over (partition by workspace_id, tier, start_time order by s.scope_name, s.scope_version, s.dialect)
        + coalesce(n.scopes, 0) as place
    from (
      select workspace_id, tier, start_time, scope_name, scope_version, dialect from sums
      except
      select workspace_id, tier, start_time, scope_name, scope_version, dialect from known
    ) s
    left join (select workspace_id, tier, start_time, count(*) as scopes from known group by 1, 2, 3) n
      using (workspace_id, tier, start_time)
  ) added
  where place > $3
), folded as (
  insert into scope_counts as c (workspace_id, tier, start_time, scope_name, scope_version, dialect, kind, spans, told_twice, repeated,
    unpriced, cost_disagreements, cost_disagreement_usd, agents_unnamed, last_start)
  select
    workspace_id, tier, start_time,
    case when b.place is null then scope_name else 'other' end,
    case when b.place is null then scope_version else '' end,
    case when b.place is null then dialect else '' end,
    kind, sum(spans), sum(told_twice), sum(repeated), sum(unpriced), sum(cost_disagreements), sum(cost_disagreement_usd),
    sum(agents_unnamed), max(last_start)
  from sums
  left join beyond b using (workspace_id, tier, start_time, scope_name, scope_version, dialect)
  group by 1, 2, 3, 4, 5, 6, 7
  order by 1, 2, 3, 4, 5, 6, 7
  on conflict (workspace_id, tier, start_time, scope_name, scope_version, dialect, kind) do update set
    spans = c.spans + excluded.spans,
    told_twice = c.told_twice + excluded.told_twice,
    repeated = c.repeated + excluded.repeated,
    unpriced = c.unpriced + excluded.unpriced,
    cost_disagreements = c.cost_disagreements + excluded.cost_disagreements,
    cost_disagreement_usd = c.cost_disagreement_usd + excluded.cost_disagreement_usd,
    agents_unnamed = c.agents_unnamed + excluded.agents_unnamed,
    last_start = greatest(c.last_start, excluded.last_start)
)
select count(*) as deltas from taken
