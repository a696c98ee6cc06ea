-- The decisions ($2: one of them) under which calls were served or held out from $3 to $4: how many, what serving took (where it is
-- not known, $5 ms), what the held out ones cost by their own word, and by the newest $6 real executions before the end that the
-- rule matches what such a call costs and how long it takes.
-- index: events_by_decision, events_attested, events_executions
select d.id, d.type, d.state, d.tool_name, d.input_hash, d.agent_id, u.*, m.*
from decisions d
cross join lateral (
  select count(*) filter (where e.served)::int as served_calls,
    coalesce(sum(coalesce(e.duration_us / 1000.0, $5)) filter (where e.served), 0)::float8 as served_ms,
    count(*) filter (where not e.served)::int as holdout_calls,
    coalesce(sum(e.provided_cost_usd) filter (where not e.served), 0) as holdout_usd,
    count(*) filter (where not e.served and e.provided_cost_usd is null)::int as unpriced_holdouts
  from events e
  where e.workspace_id = $1 and e.decision_id = d.id and e.kind = 'tool' and (e.served or e.holdout)
    and e.start_time >= $3 and e.start_time < $4
) u
cross join lateral (
  select avg(r.provided_cost_usd) as mean_cost_usd, percentile_cont(0.5) within group (order by r.duration_us) / 1000 as median_ms
  from (
    select * from (
      select e.duration_us, e.provided_cost_usd from events e
      where d.input_hash is null and e.workspace_id = $1 and e.tool_name = d.tool_name and e.kind = 'tool' and e.attested
        and not e.served and e.status <> 'error' and (d.agent_id is null or e.agent_id = d.agent_id) and e.start_time < $4
      order by e.start_time desc, e.trace_id desc, e.span_id desc
      limit $6
    ) any_input
    union all
    select * from (
      select e.duration_us, e.provided_cost_usd from events e
      where e.workspace_id = $1 and e.tool_name = d.tool_name and e.input_hash = d.input_hash and e.kind = 'tool'
        and not e.served and e.status <> 'error' and (d.agent_id is null or e.agent_id = d.agent_id) and e.start_time < $4
      order by e.start_time desc, e.trace_id desc, e.span_id desc
      limit $6
    ) own_input
  ) r
) m
where d.workspace_id = $1 and ($2::uuid is null or d.id = $2) and u.served_calls + u.holdout_calls > 0
order by d.id
