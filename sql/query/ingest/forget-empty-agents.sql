-- An agent that existed only as long as its spans' real agent was not known.
delete from agents where workspace_id = any ($1::uuid[]) and id = any ($2::uuid[]) and events <= 0
