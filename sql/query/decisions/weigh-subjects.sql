-- Measures how often the attested executions of subjects (tool $2, version $3, agent $4) from $5 to $6 repeated a result, by the newest $7
-- of each. `reusable`: executions with the same content as the last one of the same input, within $8 seconds after it; the mean cost is
-- theirs. Only subjects with at least $9 of these. Reads along events_attested_calls or, until the next release, along events_attested,
-- which also leaves out failed calls.
select p.tool_name, p.tool_version, p.agent_id, x.*
from unnest($2::text[], $3::text[], $4::uuid[]) p(tool_name, tool_version, agent_id)
cross join lateral (
  select
    count(*)::int as executions,
    count(distinct s.input_hash)::int as inputs,
    count(*) filter (where s.is_reusable)::int as reusable,
    (count(*) >= $7)::boolean as cut,
    min(s.start_time) as first_at,
    max(s.start_time) as last_at,
    percentile_cont(0.5) within group (order by s.duration_us) / 1000 as median_ms,
    avg(s.provided_cost_usd) filter (where s.is_reusable) as mean_cost_usd,
    (array_agg(distinct s.task_type) filter (where s.task_type is not null))[1:2] as task_types,
    (array_agg(encode(s.trace_id, 'hex') order by s.start_time desc))[1:20] as trace_ids
  from (
    select e.*, e.content_hash = lag(e.content_hash) over same_input
      and e.start_time - lag(e.start_time) over same_input < make_interval(secs => $8) as is_reusable
    from (
      select e.start_time, e.trace_id, e.span_id, e.task_type, e.duration_us, e.provided_cost_usd, e.input_hash,
        case when e.key_id is not null then e.content_hash end as content_hash
      from events e
      where e.workspace_id = $1 and e.tool_name = p.tool_name and e.attested and not e.served and e.kind = 'tool'
        and e.tool_version is not distinct from p.tool_version and e.agent_id = p.agent_id and e.input_hash is not null
        and e.status <> 'error' and e.start_time >= $5 and e.start_time < $6
      order by e.start_time desc
      limit $7
    ) e
    window same_input as (partition by e.input_hash order by e.start_time, e.trace_id, e.span_id)
  ) s
) x
where x.reusable >= $9
order by p.tool_name, p.agent_id, p.tool_version
