-- Between which starts the events of an agent lie.
-- index: agents_pkey
select first_seen as first, last_seen as last
from agents
where workspace_id = $1 and id = $2 and last_seen > '-infinity'
