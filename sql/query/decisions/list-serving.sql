-- Lists the decisions ($2: one of them) under which calls were served or held out from $3 to $4: how many calls, how long serving took
-- (where that is unknown, $5 ms), and the cost that the held-out calls report. The newest $6 real executions before the end that the rule
-- matches give the cost and the duration of such a call. `gross_usd`: what the served calls would have cost, each as much as the mean
-- execution with its input or, where none with that input reports its cost, as the mean of all. `wrong_share`: the share of served calls
-- whose result was wrong, by the watch.
-- scope: $1
-- index: events_by_decision, events_attested, events_unread_starts, events_executions
select d.id, d.type, d.state, d.tool_name, d.input_hash, d.agent_id, u.*, m.*,
  least(1, greatest(0, coalesce((d.score ->> 'wrong_share')::float8, 0))) as wrong_share
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
  with runs as materialized (
    select * from (
      select e.input_hash, e.duration_us, e.provided_cost_usd from events e
      where d.input_hash is null and e.workspace_id = $1 and e.tool_name = d.tool_name and e.kind = 'tool' and e.attested
        and not e.served and e.status <> 'error' and (d.agent_id is null or e.agent_id = d.agent_id) and e.start_time < $4
      order by e.start_time desc, e.trace_id desc, e.span_id desc
      limit $6
    ) any_input
    union all
    -- tools that attest only unread results, so that no execution is read twice
    select * from (
      select e.input_hash, e.duration_us, e.provided_cost_usd from events e
      where d.input_hash is null and e.workspace_id = $1 and e.tool_name = d.tool_name and e.kind = 'tool' and e.attested_unread
        and not e.attested and not e.served and e.status <> 'error' and (d.agent_id is null or e.agent_id = d.agent_id) and e.start_time < $4
      order by e.start_time desc, e.trace_id desc, e.span_id desc
      limit $6
    ) unread
    union all
    select * from (
      select e.input_hash, e.duration_us, e.provided_cost_usd from events e
      where e.workspace_id = $1 and e.tool_name = d.tool_name and e.input_hash = d.input_hash and e.kind = 'tool'
        and not e.served and e.status <> 'error' and (d.agent_id is null or e.agent_id = d.agent_id) and e.start_time < $4
      order by e.start_time desc, e.trace_id desc, e.span_id desc
      limit $6
    ) own_input
  ), every as (
    select avg(provided_cost_usd) as mean_cost_usd, percentile_cont(0.5) within group (order by duration_us) / 1000 as median_ms from runs
  ), by_input as materialized (
    select input_hash, avg(provided_cost_usd) as cost_usd from runs where provided_cost_usd is not null group by 1
  ), served as (
    select e.input_hash, count(*) as calls
    from events e
    where e.workspace_id = $1 and e.decision_id = d.id and e.kind = 'tool' and e.served and e.start_time >= $3 and e.start_time < $4
    group by 1
  )
  select every.mean_cost_usd, every.median_ms,
    coalesce((
      select sum(s.calls * coalesce(b.cost_usd, every.mean_cost_usd)) from served s left join by_input b using (input_hash)
    ), 0)::float8 as gross_usd
  from every
) m
where d.workspace_id = $1 and ($2::uuid is null or d.id = $2) and u.served_calls + u.holdout_calls > 0
order by d.id
