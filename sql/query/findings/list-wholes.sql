-- Lists the priced findings of a type ($2) that are not resolved: those whose cost may contain that of others.
-- scope: $1
-- index: findings_by_subject
select tool_name, title
from findings
where workspace_id = $1 and type = $2 and status <> 'resolved' and jsonb_typeof(evidence #> '{price,seen_usd}') = 'number'
