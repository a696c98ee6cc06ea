-- Model calls in other, settled traces that may have asked for the given calls of tools: those of the same service that ended up to ten
-- seconds before, and that ask for a tool which no span reports. Bounded in time and number for each call. $3: start in microseconds;
-- $4: the service. `place`: of the given call, from 1.
-- index: traces_by_start, events_by_trace
select
  g.place::integer as place, e.workspace_id, encode(e.trace_id, 'hex') as trace_id, e.scope_name, e.inferred_tools
from (
  select
    given.workspace_id, decode(given.trace_id, 'hex') as trace_id, given.service, given.place,
    'epoch'::timestamptz + given.start_time_us * interval '1 microsecond' as start_time
  from unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[])
    with ordinality as given (workspace_id, trace_id, start_time_us, service, place)
) g
cross join lateral (
  select near.trace_id from (
    select t.trace_id, t.llm_calls, t.settled from traces t
    where t.workspace_id = g.workspace_id and t.start_time between g.start_time - interval '10 minutes' and g.start_time
    order by t.start_time desc
    limit 128
  ) near
  where near.settled and near.llm_calls > 0 and near.trace_id <> g.trace_id
) t
join events e on e.workspace_id = g.workspace_id and e.trace_id = t.trace_id
where e.inferred_tools is not null and e.agent_fallback = g.service and e.start_time <= g.start_time
  and e.start_time + coalesce(e.duration_us, 0) * interval '1 microsecond' >= g.start_time - interval '10 seconds'
