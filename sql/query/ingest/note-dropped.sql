-- Notes the spans that a quota or a cap drops, in the order of keys, which prevents deadlocks. Returns the numbers (from 1) of those that
-- were noted before, since they are already counted. A workspace that has lost a million spans this month gets no further notes.
-- index: dropped_spans_pkey, usage_months_pkey
with given as materialized (
  select g.workspace_id, g.span_key, g.place
  from unnest($1::uuid[], $2::bytea[]) with ordinality as g (workspace_id, span_key, place)
  left join usage_months m on m.workspace_id = g.workspace_id and m.month = date_trunc('month', now() at time zone 'UTC')::date
  where coalesce(m.dropped_quota + m.dropped_agent_cap, 0) < 1000000
), noted as (
  insert into dropped_spans (workspace_id, month, span_key)
  select distinct workspace_id, date_trunc('month', now() at time zone 'UTC')::date, span_key from given order by 1, 3
  on conflict do nothing
  returning workspace_id, span_key
)
select g.place from given g
where not exists (select from noted n where n.workspace_id = g.workspace_id and n.span_key = g.span_key)
