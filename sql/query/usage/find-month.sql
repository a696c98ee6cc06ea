-- The plan of a workspace, the counters of one month, and how many agents it has.
-- index: workspaces_pkey, usage_months_pkey
select w.plan, coalesce(m.accepted, 0) as accepted, coalesce(m.dropped_quota, 0) as dropped_quota,
  coalesce(m.dropped_agent_cap, 0) as dropped_agent_cap,
  (select count(*) from agents where workspace_id = w.id) as agents
from workspaces w
left join usage_months m on m.workspace_id = w.id and m.month = $2
where w.id = $1
