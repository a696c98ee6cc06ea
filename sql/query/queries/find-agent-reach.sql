-- Reads the first and the last start of the events of an agent.
-- index: agents_pkey
select first_seen as first, last_seen as last
from agents
where workspace_id = $1 and id = $2 and last_seen > '-infinity'
