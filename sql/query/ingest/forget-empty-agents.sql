-- Agents that existed only as long as their spans' real agent was not known, or whose spans were all turned away. One that a
-- group commit holds is passed by, which waits for nobody: it is about to get spans.
delete from agents
where (workspace_id, id) in (
  select workspace_id, id from agents
  where workspace_id = any ($1::uuid[]) and id = any ($2::uuid[]) and events <= 0
  for update skip locked
)
