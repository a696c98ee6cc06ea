-- Makes room for invalidations of a workspace that has as many as it may: replaces the older half of those of one tool by one of the whole
-- tool at the time of the newest of them. The tool is the one with the most. Each invalidation that is replaced is covered by the new one,
-- which covers other results as well. One row with `removed`, the number of rows that became free; none if no tool has three or more.
-- $2: id
-- scope: $1
-- index: invalidations_by_tool, workspaces_pkey
with locked as materialized (
  select id from workspaces where id = $1 and deleted_at is null for no key update
), folding as materialized (
  select i.tool_name, percentile_disc(0.5) within group (order by i.at) as until
  from locked w
  join invalidations i on i.workspace_id = w.id
  where i.workspace_id = $1
  group by i.tool_name
  having count(*) > 2
  order by count(*) desc, i.tool_name
  limit 1
), removed as (
  delete from invalidations i
  using folding f
  where i.workspace_id = $1 and i.tool_name = f.tool_name and i.at <= f.until
    and (i.agent_name is not null or i.tool_version is not null or i.input_hash is not null)
  returning i.id
), folded as (
  insert into invalidations as i (id, workspace_id, at, tool_name)
  select $2, $1, f.until, f.tool_name from folding f
  on conflict (workspace_id, tool_name, input_hash, tool_version, agent_name) do update set
    at = excluded.at,
    earlier = (array_prepend(i.at, i.earlier))[1:100]
  where i.at < excluded.at
  returning i.id
)
select (select count(*) from removed)::integer as removed from folding
