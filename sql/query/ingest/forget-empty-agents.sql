-- Deletes agents without spans: those that existed only until the real agent of their spans was known, and those whose spans were all
-- rejected. An agent that a group commit holds is skipped without waiting: it is about to get spans.
delete from agents
where (workspace_id, id) in (
  select workspace_id, id from agents
  where workspace_id = any ($1::uuid[]) and id = any ($2::uuid[]) and events <= 0
  for update skip locked
)
