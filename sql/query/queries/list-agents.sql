-- Lists one page of agents, last seen first. An agent without spans is left out: it is about to get some, or to be removed.
-- index: agents_by_last_seen
select id, name, models, first_seen, last_seen
from agents
where workspace_id = $1 and last_seen > '-infinity'
order by last_seen desc, id desc
limit $2 offset $3
