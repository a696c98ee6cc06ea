-- Open decisions that the gate proposed, those first that were expected to save least. They are at most some hundreds.
-- index: decisions_to_measure
select d.id, d.config -> 'evidence' -> 'expected_monthly_savings' as expected
from decisions d
where d.workspace_id = $1 and d.state in ('proposed', 'shadow')
  and jsonb_typeof(d.config -> 'evidence' -> 'expected_monthly_savings') = 'object'
order by coalesce((d.config -> 'evidence' -> 'expected_monthly_savings' ->> 'usd')::float8, 0),
  (d.config -> 'evidence' -> 'expected_monthly_savings' ->> 'latency_saved_ms')::float8, d.id
limit $2
