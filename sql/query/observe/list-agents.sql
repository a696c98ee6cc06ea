-- One page of agents, the one seen last first. One without any span has not been seen; it is about to get some, or to be removed.
-- index: agents_by_last_seen
select id, name, models, first_seen, last_seen
from agents
where workspace_id = $1 and last_seen > '-infinity'
order by last_seen desc, id desc
limit $2 offset $3
