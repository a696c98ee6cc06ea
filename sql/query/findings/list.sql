-- Lists one page of findings, last seen first, after the last finding of the page before ($7, $8).
-- scope: $1
-- index: findings_by_last_seen
select f.id, f.type, f.severity, f.status, f.title, f.detail, f.agent_id, f.tool_name, f.model, f.occurrences,
  f.est_monthly_cost_usd, f.evidence, f.decision_id, f.first_seen, f.last_seen, f.last_seen::text as rank_key
from findings f
where f.workspace_id = $1
  and ($2::text is null or f.type = $2)
  and ($3::text is null or f.severity = $3)
  and ($4::text is null or f.status = $4)
  and ($5::uuid is null or f.agent_id = $5)
  and ($6::text is null or f.tool_name = $6)
  and ($7::timestamptz is null or (f.last_seen, f.id) < ($7, $8::uuid))
order by f.last_seen desc, f.id desc
limit $9
