-- Holds the agents of the staged rows: settling removes agents that have become empty, but none that is about to get spans.
select from agents a
where (a.workspace_id, a.name) in (select workspace_id, agent_name from stage)
order by a.workspace_id, a.name
for key share
