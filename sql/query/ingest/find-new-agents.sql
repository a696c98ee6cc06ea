-- Agents that are named for the first time, in the order in which their spans arrived.
select s.workspace_id, s.agent_name
from stage s
where not exists (select from agents a where a.workspace_id = s.workspace_id and a.name = s.agent_name)
group by s.workspace_id, s.agent_name
order by s.workspace_id, min(s.batch_no), min(s.row_no), s.agent_name
