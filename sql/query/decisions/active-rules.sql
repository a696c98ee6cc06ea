-- Reads what the SDKs of a workspace receive: one row for each rule in force, or one row without a rule where there is none or the version
-- is still $2. Input hashes contain no blanks. `executed_after`: the last invalidation of all that the rule covers, or of an input that it
-- does not list, or `doubted_until` if that is later. `invalidated`: those of `inputs` that were invalidated within the last two minutes,
-- which is longer than an SDK uses rules that it could not refresh; after that, the gate makes the SDKs read the rules again. A reuse rule of
-- one input is left out until that input is proven. $3: how many inputs the rules list in all, shared evenly, and $4: how many one rule lists.
-- Cost: a tool may have 100,000 invalidated inputs, so a rule reads only those of its own inputs. The index by tool serves where the last
-- invalidation of any input counts; the `coalesce` keeps the planner from using it where it would skip those of inputs.
-- scope: $1
-- index: decisions_in_force, agents_pkey
with rules as (
  select
    w.id as workspace_id,
    w.rules_mark || '.' || w.rules_version as version,
    w.rules_changed_at as changed_at,
    w.freshness_s as default_freshness_s,
    w.holdout_rate as default_holdout_rate,
    d.id as decision_id,
    d.type,
    d.tool_name,
    d.tool_version,
    d.input_hash,
    d.inputs[:least($4::bigint, $3::bigint / count(*) over ())] as listed,
    d.agent_id,
    a.name as agent_name,
    d.config,
    d.proven,
    d.served_freshness_s,
    d.activated_at,
    d.doubted_until
  from workspaces w
  left join decisions d
    on d.workspace_id = w.id and d.state = 'active' and w.rules_mark || '.' || w.rules_version is distinct from $2::text
    and (d.type <> 'reuse_identity' or d.input_hash is null or d.input_hash = any (d.inputs))
  left join agents a on a.workspace_id = w.id and a.id = d.agent_id
  where w.id = $1 and w.deleted_at is null
)
select r.version, r.changed_at, r.default_freshness_s, r.default_holdout_rate, r.decision_id, r.type, r.tool_name, r.tool_version,
  r.input_hash, array_to_string(r.listed, ' ') as inputs, r.agent_id, r.agent_name, r.config, r.proven, r.served_freshness_s,
  r.activated_at,
  greatest(
    r.doubted_until,
    (
      select max(coalesce(i.at, 'infinity')) from invalidations i
      where i.workspace_id = $1 and i.tool_name = r.tool_name and i.input_hash is null
        and (i.tool_version is null or i.tool_version = r.tool_version)
        and (i.agent_name is null or r.agent_name is null or i.agent_name = r.agent_name)
    ),
    (
      select max(coalesce(i.at, 'infinity')) from invalidations i
      where i.workspace_id = $1 and i.tool_name = r.tool_name and i.input_hash = r.input_hash
        and (i.tool_version is null or i.tool_version = r.tool_version)
        and (i.agent_name is null or r.agent_name is null or i.agent_name = r.agent_name)
    ),
    case when r.type = 'suppress_dead' then (
      select max(i.at) from invalidations i
      where i.workspace_id = $1 and i.tool_name = r.tool_name
        and (i.tool_version is null or i.tool_version = r.tool_version)
        and (i.agent_name is null or r.agent_name is null or i.agent_name = r.agent_name)
    ) end
  ) as executed_after,
  case when r.type = 'reuse_identity' and r.input_hash is null and exists (
    select from invalidations i
    where i.workspace_id = $1 and i.tool_name = r.tool_name and i.at > statement_timestamp() - interval '2 minutes'
  ) then (
    select string_agg(l.input, ' ')
    from unnest(r.listed) l(input)
    where exists (
      select from invalidations i
      where i.workspace_id = $1 and i.tool_name = r.tool_name and i.input_hash = l.input
        and coalesce(i.at, 'infinity') > statement_timestamp() - interval '2 minutes'
        and (i.tool_version is null or i.tool_version = r.tool_version)
        and (i.agent_name is null or r.agent_name is null or i.agent_name = r.agent_name)
    )
  ) end as invalidated
from rules r
order by r.activated_at, r.decision_id
