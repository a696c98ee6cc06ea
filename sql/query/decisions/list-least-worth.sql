-- Lists open decisions that the gate proposed and no user has moved, lowest expected saving first: as last measured, otherwise as proposed.
-- There are at most some hundreds.
-- scope: $1
-- index: decisions_to_measure, decision_transitions_by_decision
select d.id, d.state, jsonb_build_object('rank', r.rank) as expected
from decisions d
cross join lateral (select coalesce(d.score #> '{worth,rank}', d.config #> '{evidence,rank}') as rank) r
where d.workspace_id = $1 and d.state in ('proposed', 'shadow') and jsonb_typeof(d.config #> '{evidence,rank}') = 'object'
  and not exists (select from decision_transitions m where m.workspace_id = $1 and m.decision_id = d.id and m.actor = 'user')
order by (r.rank ->> 'usd')::float8, (r.rank ->> 'latency_saved_ms')::float8, d.id
limit $2
