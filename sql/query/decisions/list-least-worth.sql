-- Lists open decisions that the gate proposed, lowest expected saving first. There are at most some hundreds.
-- scope: $1
-- index: decisions_to_measure
select d.id, d.state, jsonb_build_object('rank', d.config #> '{evidence,rank}') as expected
from decisions d
where d.workspace_id = $1 and d.state in ('proposed', 'shadow') and jsonb_typeof(d.config #> '{evidence,rank}') = 'object'
order by (d.config #>> '{evidence,rank,usd}')::float8, (d.config #>> '{evidence,rank,latency_saved_ms}')::float8, d.id
limit $2
