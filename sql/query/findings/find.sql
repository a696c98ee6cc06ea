-- Reads one finding.
-- scope: $1
-- index: findings_pkey
select id, type, severity, status, title, detail, agent_id, tool_name, model, occurrences, est_monthly_cost_usd, evidence,
  decision_id, first_seen, last_seen
from findings
where workspace_id = $1 and id = $2
