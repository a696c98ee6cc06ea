-- Reads one agent that has at least one span.
-- index: agents_pkey
select id, name, models, first_seen, last_seen
from agents
where workspace_id = $1 and id = $2 and last_seen > '-infinity'
