-- What the SDKs of a workspace get: one row a rule in force; one row without a rule where there is none, or where the version is still $2.
-- index: decisions_in_force, agents_pkey
select
  w.rules_version as version,
  w.rules_changed_at as changed_at,
  w.freshness_s as default_freshness_s,
  d.id as decision_id,
  d.type,
  d.tool_name,
  d.input_hash,
  d.agent_id,
  a.name as agent_name,
  d.config,
  d.activated_at
from workspaces w
left join decisions d
  on d.workspace_id = w.id and d.state = 'active' and w.rules_version is distinct from $2::bigint
left join agents a on a.workspace_id = w.id and a.id = d.agent_id
where w.id = $1 and w.deleted_at is null
order by d.activated_at, d.id
