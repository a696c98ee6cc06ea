-- Lists why spans were rejected in one month, the most frequent reason first.
-- index: usage_rejections_pkey
select reason, count, last_seen, example
from usage_rejections
where workspace_id = $1 and month = $2
order by count desc, reason
limit 1000
