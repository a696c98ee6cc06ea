-- Counts the findings of a workspace by type, severity and status.
-- scope: $1
select type, severity, status, count(*) as findings
from findings
where workspace_id = $1
group by type, severity, status
order by type, severity, status
