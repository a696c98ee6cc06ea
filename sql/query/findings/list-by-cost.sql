-- Lists one page of findings, most expensive first and those without a price last; at the same price, the most severe first. Continues
-- after the last finding of the page before ($7: its rank, $8: its id).
-- scope: $1
with ranked as (
  select f.*, coalesce(f.est_monthly_cost_usd, '-infinity') as rank,
    case f.severity when 'critical' then 2 when 'warning' then 1 else 0 end as grade
  from findings f
  where f.workspace_id = $1
    and ($2::text is null or f.type = $2)
    and ($3::text is null or f.severity = $3)
    and ($4::text is null or f.status = $4)
    and ($5::uuid is null or f.agent_id = $5)
    and ($6::text is null or f.tool_name = $6)
)
select id, type, severity, status, title, detail, agent_id, tool_name, model, occurrences, est_monthly_cost_usd, evidence,
  decision_id, first_seen, last_seen, rank::text || ' ' || grade as rank_key
from ranked
where $7::text is null
  or (rank, grade, id) < (split_part($7, ' ', 1)::float8, split_part($7, ' ', 2)::int, $8::uuid)
order by rank desc, grade desc, id desc
limit $9
