-- What the executions of pairs of tool ($2) and input ($3) from $4 to $5 say of giving the same result again, by the newest $6 of
-- each: only those that were repeated, each within $7 seconds of the one before, with one and the same content. Executions whose
-- result could be served count; any other that tells a content can only speak against.
-- index: events_executions
select p.tool_name, p.input_hash, x.*
from unnest($2::text[], $3::text[]) p(tool_name, input_hash)
cross join lateral (
  select
    count(*) filter (where s.servable)::int as executions,
    count(*) filter (where s.servable and s.gap < make_interval(secs => $7))::int as reusable,
    (count(*) >= $6)::boolean as cut,
    min(s.start_time) as first_at,
    percentile_cont(0.5) within group (order by s.duration_us) / 1000 as median_ms,
    avg(s.provided_cost_usd) as mean_cost_usd,
    count(distinct s.agent_id)::int as agents,
    (array_agg(distinct s.task_type) filter (where s.task_type is not null))[1:2] as task_types,
    (array_agg(encode(s.trace_id, 'hex') order by s.start_time desc) filter (where s.servable))[1:20] as trace_ids
  from (
    select e.*, e.start_time - lag(e.start_time) over (partition by e.servable order by e.start_time, e.trace_id, e.span_id) as gap
    from (
      select e.start_time, e.trace_id, e.span_id, e.agent_id, e.task_type, e.duration_us, e.provided_cost_usd, e.content_hash,
        e.attested and e.key_id is not null and exists (
          select from tool_results r
          where r.workspace_id = $1 and r.start_time = e.start_time and r.trace_id = e.trace_id and r.span_id = e.span_id
        ) as servable
      from events e
      where e.workspace_id = $1 and e.tool_name = p.tool_name and e.input_hash = p.input_hash and e.kind = 'tool' and not e.served
        and e.status <> 'error' and e.content_hash is not null and e.start_time >= $4
        -- told so that it is no bound of an index: where the planner knows nothing yet, it would take both for next to no rows, and
        -- read all that the workspace did for each pair
        and e.start_time - $5::timestamptz < interval '0'
      order by e.start_time desc
      limit $6
    ) e
  ) s
  having count(distinct s.content_hash) = 1
    and bool_and(s.gap is null or s.gap < make_interval(secs => $7)) filter (where s.servable)
) x
where x.executions >= $8
order by p.tool_name, p.input_hash
