-- Lists the decisions ($2: one of them) under which calls were served or held out from $3 to $4: how many calls, how long serving took
-- (where that is unknown, $5 ms), and the cost that the held-out calls report. The newest $6 real executions that the rule matches, up to
-- the last of these calls (`last_at`), give the cost and the duration of such a call. Later ones are not read: a newer version of the tool
-- may have very many. No index has the version, so that earlier ones of other versions are read on the way. `gross_usd`: what the served
-- calls would have cost, each as much as the mean execution with its input or, where none with that input reports its cost, as the mean of
-- all. `wrong_calls`: how many served calls had a wrong result. The watch measures the share of wrong results anew in each phase in which
-- the rule is active: `phase_starts` has the start of each, oldest first, and `phase_wrong_shares` the share that was measured last in it.
-- The first phase begins before all times, for calls from senders whose clocks are slow. A phase whose end has no measures in the audit
-- trail has the present share, and the present one none before its first measurement.
-- scope: $1
-- index: events_by_decision, events_attested, events_unread_starts, events_executions, decision_transitions_by_decision
select d.id, d.type, d.state, d.tool_name, d.tool_version, d.input_hash, d.agent_id, w.starts::text[] as phase_starts,
  w.shares as phase_wrong_shares, u.served_calls, u.served_ms, u.holdout_calls, u.holdout_usd, u.unpriced_holdouts, u.wrong_calls,
  u.last_at::text as last_at, m.*
from decisions d
cross join lateral (
  select array_agg(p.at order by p.at) as starts,
    array_agg(least(1, greatest(0, coalesce((p.score ->> 'wrong_share')::float8, 0))) order by p.at) as shares
  from (
    select case when t.nth > 1 then t.at else '-infinity' end as at, coalesce(
        t.measures -> 'score', case when d.state = 'active' and d.measured_at < d.activated_at then null else d.score end
      ) as score
    from (select) one
    left join (
      select t.at, t.to_state, count(*) filter (where t.to_state = 'active') over moves as nth, lead(t.measures) over moves as measures
      from decision_transitions t
      where t.workspace_id = $1 and t.decision_id = d.id and t.from_state is distinct from t.to_state
        and 'active' in (t.from_state, t.to_state)
      window moves as (order by t.at, t.id)
    ) t on t.to_state = 'active'
  ) p
) w
cross join lateral (
  select count(*) filter (where e.served)::int as served_calls,
    coalesce(sum(coalesce(e.duration_us / 1000.0, $5)) filter (where e.served), 0)::float8 as served_ms,
    count(*) filter (where not e.served)::int as holdout_calls,
    coalesce(sum(e.provided_cost_usd) filter (where not e.served), 0) as holdout_usd,
    count(*) filter (where not e.served and e.provided_cost_usd is null)::int as unpriced_holdouts,
    coalesce(sum(w.shares[width_bucket(e.start_time, w.starts)]) filter (where e.served), 0) as wrong_calls,
    max(e.start_time) as last_at
  from events e
  where e.workspace_id = $1 and e.decision_id = d.id and e.kind = 'tool' and (e.served or e.holdout)
    and e.start_time >= $3 and e.start_time < $4
) u
cross join lateral (
  with runs as materialized (
    select * from (
      select e.input_hash, e.duration_us, e.provided_cost_usd from events e
      where d.input_hash is null and e.workspace_id = $1 and e.tool_name = d.tool_name and e.kind = 'tool' and e.attested
        and not e.served and e.status <> 'error' and (d.agent_id is null or e.agent_id = d.agent_id)
        and e.tool_version is not distinct from d.tool_version and e.start_time < $4 and e.start_time <= u.last_at
      order by e.start_time desc, e.trace_id desc, e.span_id desc
      limit $6
    ) any_input
    union all
    -- tools that attest only unread results, so that no execution is read twice
    select * from (
      select e.input_hash, e.duration_us, e.provided_cost_usd from events e
      where d.input_hash is null and e.workspace_id = $1 and e.tool_name = d.tool_name and e.kind = 'tool' and e.attested_unread
        and not e.attested and not e.served and e.status <> 'error' and (d.agent_id is null or e.agent_id = d.agent_id)
        and e.tool_version is not distinct from d.tool_version and e.start_time < $4 and e.start_time <= u.last_at
      order by e.start_time desc, e.trace_id desc, e.span_id desc
      limit $6
    ) unread
    union all
    select * from (
      select e.input_hash, e.duration_us, e.provided_cost_usd from events e
      where e.workspace_id = $1 and e.tool_name = d.tool_name and e.input_hash = d.input_hash and e.kind = 'tool'
        and not e.served and e.status <> 'error' and (d.agent_id is null or e.agent_id = d.agent_id)
        and e.tool_version is not distinct from d.tool_version and e.start_time < $4 and e.start_time <= u.last_at
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
