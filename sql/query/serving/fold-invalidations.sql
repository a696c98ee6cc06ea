-- Makes room for invalidations of a workspace that has as many as it may: replaces the older half of those of one tool by one of the whole
-- tool at the time of the newest of them. The tool is the one with the most. Each invalidation that is replaced is covered by the new one,
-- which covers other results as well; its times are added to those of the new one, of which the newest 101 are kept. One row with `removed`,
-- the number of rows that were replaced; none if no tool has three or more, or two of which one is of the whole tool. Such two become one
-- at the later time; those where it is the time of the one of the whole tool come first, since no other results are covered.
-- $2: id
-- scope: $1
-- index: invalidations_by_tool, workspaces_pkey
with locked as materialized (
  select id from workspaces where id = $1 and deleted_at is null for no key update
), held as (
  select i.tool_name, i.at, num_nonnulls(i.agent_name, i.tool_version, i.input_hash) = 0 as is_whole
  from locked w
  join invalidations i on i.workspace_id = w.id
  where i.workspace_id = $1
), folding as materialized (
  select h.tool_name, case when count(*) = 2 then max(h.at) else percentile_disc(0.5) within group (order by h.at) end as until
  from held h
  group by h.tool_name
  having count(*) > 2 or count(*) = 2 and bool_or(h.is_whole)
  order by count(*) desc, coalesce(max(h.at) filter (where h.is_whole) = max(h.at), false) desc, h.tool_name
  limit 1
), removed as (
  delete from invalidations i
  using folding f
  where i.workspace_id = $1 and i.tool_name = f.tool_name and i.at <= f.until
    and (i.agent_name is not null or i.tool_version is not null or i.input_hash is not null)
  returning i.at, i.earlier
), folded as (
  insert into invalidations as i (id, workspace_id, at, tool_name, earlier)
  select $2, $1, f.until, f.tool_name, array(
    select distinct t.at from removed r cross join lateral unnest(r.at || r.earlier) t (at) where t.at < f.until order by t.at desc limit 100
  )
  from folding f
  on conflict (workspace_id, tool_name, input_hash, tool_version, agent_name) do update set
    at = greatest(i.at, excluded.at),
    earlier = array(
      select distinct t.at from unnest(i.at || i.earlier || excluded.at || excluded.earlier) t (at) order by t.at desc offset 1 limit 100
    )
  returning i.id
)
select (select count(*) from removed)::integer as removed from folding
