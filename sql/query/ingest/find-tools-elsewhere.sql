-- Calls of tools in other traces, without calls of models, that may be what the given model calls asked for: those of the same service that
-- begin up to ten seconds after the call. Bounded in time and number for each call. $3, $4: start and end in microseconds; $5: the service.
-- `place`: of the given call, from 1.
-- index: traces_by_start, events_by_trace
select
  g.place::integer as place, encode(e.trace_id, 'hex') as trace_id, encode(e.span_id, 'hex') as span_id, e.scope_name, e.tool_name, e.tool_call_id,
  (extract(epoch from e.start_time) * 1000000)::bigint as start_time_us
from (
  select
    given.workspace_id, decode(given.trace_id, 'hex') as trace_id, given.service, given.place,
    'epoch'::timestamptz + given.start_time_us * interval '1 microsecond' as start_time,
    'epoch'::timestamptz + given.end_time_us * interval '1 microsecond' + interval '10 seconds' as end_time
  from unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::text[])
    with ordinality as given (workspace_id, trace_id, start_time_us, end_time_us, service, place)
) g
cross join lateral (
  select near.trace_id from (
    select t.trace_id, t.llm_calls, t.tool_calls from traces t
    where t.workspace_id = g.workspace_id and t.start_time between g.start_time and g.end_time
    order by t.start_time
    limit 128
  ) near
  where near.llm_calls = 0 and near.tool_calls > 0 and near.trace_id <> g.trace_id
) t
join events e on e.workspace_id = g.workspace_id and e.trace_id = t.trace_id
where e.kind = 'tool' and e.counted and e.tool_name is not null and e.agent_fallback = g.service
  and e.start_time between g.start_time and g.end_time
order by e.start_time, e.span_id
