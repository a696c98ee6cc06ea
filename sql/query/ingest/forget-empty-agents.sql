-- Agents that existed only as long as their spans' real agent was not known. By itself, after settling has committed: it
-- waits for a group commit that holds such an agent, and then finds it no longer empty.
delete from agents where workspace_id = any ($1::uuid[]) and id = any ($2::uuid[]) and events <= 0
