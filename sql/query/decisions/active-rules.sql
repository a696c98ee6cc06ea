-- Reads what the SDKs of a workspace receive: one row for each rule in force, or one row without a rule where there is none or the version
-- is still $2. Input hashes contain no blanks. `executed_after`: the last invalidation of all that the rule covers, or of an input that it
-- does not list, or `doubted_until` if that is later. `invalidated`: those of `inputs` that were invalidated within the last two minutes,
-- which is longer than an SDK uses rules that it could not refresh; after that, the gate makes the SDKs read the rules again. A reuse rule of
-- one input is left out until that input is proven. $3: how many inputs the rules list in all, shared evenly, and $4: how many one rule lists.
-- Cost: the invalidations of tools with rules, at most 10,000, are read once. Those that concern the same rules are merged first (`held`):
-- the rules are compared with few even if each names another agent or version. `''` stands for an agent or an input without its own rule. If
-- an input was invalidated within the last two minutes, all listed inputs are read once, into a hash table. Without the `case`, PostgreSQL
-- would make the `in` a join, which with some statistics reads the listed inputs once for each invalidated one.
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
), held as materialized (
  select i.tool_name, i.tool_version,
    case when (i.tool_name, i.agent_name) in (select tool_name, agent_name from rules where agent_name is not null) then i.agent_name
      when i.agent_name is not null then '' end as agent_name,
    case when i.at > statement_timestamp() - interval '2 minutes'
        or (i.tool_name, i.input_hash) in (select tool_name, input_hash from rules where input_hash is not null) then i.input_hash
      when i.input_hash is not null then '' end as input_hash,
    max(i.at) as at
  from invalidations i
  where i.workspace_id = $1 and i.tool_name in (select tool_name from rules where tool_name is not null)
    and (
      i.tool_version is null
      or (i.tool_name, i.tool_version) in (select tool_name, tool_version from rules where tool_version is not null)
    )
  group by 1, 2, 3, 4
), recent as materialized (
  select * from held
  where input_hash <> ''
    and case when at > statement_timestamp() - interval '2 minutes'
      then (tool_name, input_hash) in (select r.tool_name, l.input from rules r cross join unnest(r.listed) l (input)) end
), of_subjects as materialized (
  select t.tool_name, t.tool_version, t.agent_name, max(i.at) filter (where i.input_hash is null) as all_inputs_at, max(i.at) as any_input_at
  from (
    select tool_name, tool_version, agent_name, bool_or(type = 'suppress_dead') as is_unread
    from rules
    where decision_id is not null
    group by tool_name, tool_version, agent_name
  ) t
  join held i on i.tool_name = t.tool_name and (i.input_hash is null or t.is_unread)
    and (i.tool_version is null or i.tool_version = t.tool_version)
    and (i.agent_name is null or t.agent_name is null or i.agent_name = t.agent_name)
  group by t.tool_name, t.tool_version, t.agent_name
), of_inputs as materialized (
  select r.decision_id, max(i.at) as at
  from rules r
  join held i on i.tool_name = r.tool_name and i.input_hash = r.input_hash
    and (i.tool_version is null or i.tool_version = r.tool_version)
    and (i.agent_name is null or r.agent_name is null or i.agent_name = r.agent_name)
  group by r.decision_id
)
select r.version, r.changed_at, r.default_freshness_s, r.default_holdout_rate, r.decision_id, r.type, r.tool_name, r.tool_version,
  r.input_hash, array_to_string(r.listed, ' ') as inputs, r.agent_id, r.agent_name, r.config, r.proven, r.served_freshness_s,
  r.activated_at,
  greatest(
    r.doubted_until,
    case when r.type = 'suppress_dead' then s.any_input_at else s.all_inputs_at end,
    o.at
  ) as executed_after,
  case when r.type = 'reuse_identity' and r.input_hash is null then (
    select string_agg(l.input, ' ')
    from (
      select unnest(r.listed)
      intersect
      select i.input_hash from recent i
      where i.tool_name = r.tool_name
        and (i.tool_version is null or i.tool_version = r.tool_version)
        and (i.agent_name is null or r.agent_name is null or i.agent_name = r.agent_name)
    ) l(input)
  ) end as invalidated
from rules r
left join of_subjects s
  on s.tool_name = r.tool_name and s.tool_version is not distinct from r.tool_version and s.agent_name is not distinct from r.agent_name
left join of_inputs o on o.decision_id = r.decision_id
order by r.activated_at, r.decision_id
