-- Sets the status of a finding. A finding that is already resolved keeps the time of its resolution.
-- scope: $1
update findings
set status = $3::text, resolved_at = case when $3::text = 'resolved' then coalesce(resolved_at, now()) end
where workspace_id = $1 and id = $2
returning id, type, severity, status, title, detail, agent_id, tool_name, model, occurrences, est_monthly_cost_usd, evidence,
  decision_id, first_seen, last_seen
