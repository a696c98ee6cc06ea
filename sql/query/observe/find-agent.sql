-- One agent.
-- index: agents_pkey
select id, name, models, first_seen, last_seen
from agents
where workspace_id = $1 and id = $2
