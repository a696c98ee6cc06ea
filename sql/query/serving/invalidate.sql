-- Invalidates the results of a tool that were executed before now, and counts up the version of the rules. Changes nothing if the workspace
-- already has $7 invalidations and none of the same results (`is_full`), or is deleted. `at`: null if nothing was changed.
-- $1: workspace, $2: id, $3: tool, $4 to $6: agent, version and input; null for all
-- scope: $1
-- index: workspaces_pkey
with held as materialized (
  select count(*) >= $7 and not exists (
    select from invalidations
    where workspace_id = $1 and tool_name = $3 and agent_name is not distinct from $4 and tool_version is not distinct from $5
      and input_hash is not distinct from $6
  ) as is_full
  from (select from invalidations where workspace_id = $1 limit $7) i
), changed as (
  update workspaces set rules_version = rules_version + 1, rules_changed_at = clock_timestamp()
  where id = $1 and deleted_at is null and not (select is_full from held)
  returning id
), added as (
  insert into invalidations as i (id, workspace_id, at, tool_name, agent_name, tool_version, input_hash)
  select $2, c.id, clock_timestamp(), $3, $4, $5, $6 from changed c
  on conflict (workspace_id, tool_name, input_hash, tool_version, agent_name) do update set
    at = greatest(i.at, excluded.at),
    earlier = (array_prepend(i.at, i.earlier))[1:100]
  returning i.at
)
select h.is_full, (select at from added) as at from held h
