-- One page of agents, the one seen last first.
-- index: agents_by_last_seen
select id, name, models, first_seen, last_seen
from agents
where workspace_id = $1
order by last_seen desc, id desc
limit $2 offset $3
