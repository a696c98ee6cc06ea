-- Measures the cost and the duration of the real executions that a rule matches, by the newest $8 of a phase ($6 to $7, µs).
-- $2 tool, $3 version or null, $4 agent or null, $5 input or null
-- index: events_executions
select count(e.duration_us)::int as timed_calls, avg(e.provided_cost_usd) as mean_cost_usd,
  percentile_cont(0.5) within group (order by e.duration_us) / 1000 as median_ms
from (
  select e.provided_cost_usd, e.duration_us
  from events e
  where e.workspace_id = $1 and e.tool_name = $2 and e.kind = 'tool' and not e.served and e.status <> 'error'
    and e.tool_version is not distinct from $3::text
    and ($4::uuid is null or e.agent_id = $4)
    and ($5::text is null or e.input_hash = $5)
    and e.start_time >= 'epoch'::timestamptz + $6::bigint * interval '1 microsecond'
    and e.start_time < 'epoch'::timestamptz + $7::bigint * interval '1 microsecond'
  order by e.start_time desc, e.trace_id desc, e.span_id desc
  limit $8
) e
