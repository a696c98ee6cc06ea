-- Spans of agents over the agent cap; gives how many each request lost.
with dropped as (
  delete from stage s
  using unnest($1::uuid[], $2::text[]) as denied (workspace_id, name)
  where s.workspace_id = denied.workspace_id and s.agent_name = denied.name
  returning s.batch_no
)
select batch_no, count(*) as spans from dropped group by batch_no
