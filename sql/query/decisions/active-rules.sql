-- Reads what the SDKs of a workspace receive: one row for each rule in force, or one row without a rule where there is none or the version
-- is still $2. Input hashes contain no blanks. `executed_after`: the last invalidation of all that the rule covers, or of an input that it
-- does not list, or `doubted_until` if that is later. `invalidated`: inputs that were invalidated within the last two minutes, which is
-- longer than an SDK uses rules that it could not refresh; after that, the gate makes the SDKs read the rules again. A reuse rule of one
-- input is left out until that input is proven. $3: how many inputs the rules list in all, shared evenly, and $4: how many one rule lists.
-- scope: $1
-- index: decisions_in_force, agents_pkey
select
  w.rules_mark || '.' || w.rules_version as version,
  w.rules_changed_at as changed_at,
  w.freshness_s as default_freshness_s,
  w.holdout_rate as default_holdout_rate,
  d.id as decision_id,
  d.type,
  d.tool_name,
  d.tool_version,
  d.input_hash,
  array_to_string(d.inputs[:least($4::bigint, $3::bigint / count(*) over ())], ' ') as inputs,
  d.agent_id,
  a.name as agent_name,
  d.config,
  d.proven,
  d.served_freshness_s,
  d.activated_at,
  greatest(d.doubted_until, (
    select max(i.at) from invalidations i
    where i.workspace_id = w.id and i.tool_name = d.tool_name
      and (i.input_hash is null or i.input_hash = d.input_hash or d.type = 'suppress_dead')
      and (i.tool_version is null or i.tool_version = d.tool_version)
      and (i.agent_name is null or a.name is null or i.agent_name = a.name)
  )) as executed_after,
  (
    select string_agg(i.input_hash, ' ') from invalidations i
    where d.inputs is not null and i.workspace_id = w.id and i.tool_name = d.tool_name and i.input_hash is not null
      and i.at > clock_timestamp() - interval '2 minutes'
      and (i.tool_version is null or i.tool_version = d.tool_version)
      and (i.agent_name is null or a.name is null or i.agent_name = a.name)
  ) as invalidated
from workspaces w
left join decisions d
  on d.workspace_id = w.id and d.state = 'active' and w.rules_mark || '.' || w.rules_version is distinct from $2::text
  and (d.type <> 'reuse_identity' or d.input_hash is null or d.input_hash = any (d.inputs))
left join agents a on a.workspace_id = w.id and a.id = d.agent_id
where w.id = $1 and w.deleted_at is null
order by d.activated_at, d.id
