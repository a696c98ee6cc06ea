-- Reads the plan of a workspace, the counters of one month, the number of agents with a slot of the cap, and the number of other agents
-- with a settled trace.
-- index: workspaces_pkey, usage_months_pkey
select w.plan, coalesce(m.accepted, 0) as accepted, coalesce(m.dropped_quota, 0) as dropped_quota,
  coalesce(m.dropped_agent_cap, 0) as dropped_agent_cap,
  a.agents, a.settled_agents
from workspaces w
left join usage_months m on m.workspace_id = w.id and m.month = $2
cross join lateral (
  select count(*) filter (where not provisional) as agents, count(*) filter (where provisional and in_settled_trace) as settled_agents
  from agents where workspace_id = w.id
) a
where w.id = $1
