-- Finds calls of models in other traces that may be second reports of the given calls. With a response id: calls with that id that begin up
-- to an hour before the given one ends. Without one: calls that begin within two seconds of the given one. Of another trace and scope, and of
-- the same kind. Limited in time and number for each call.
-- $3, $4: start and end in microseconds. $6, $7: scope and kind. `place`: number of the given call, from 1. A span that neither counts nor has the flag told_twice
-- without nested_call lies around a call or in it, or repeats one for its own scope, and is left out.
-- index: events_responses, events_calls_without_id, events_pkey, agents_pkey
select
  c.place::integer as place, c.workspace_id, encode(e.trace_id, 'hex') as trace_id, encode(e.span_id, 'hex') as span_id,
  e.kind, encode(e.parent_span_id, 'hex') as parent_span_id, e.agent_fallback, a.name as agent_name,
  (extract(epoch from e.start_time) * 1000000)::bigint as start_time_us, e.duration_us,
  e.scope_name, e.model, e.request_model, e.response_id, e.input_tokens, e.output_tokens, e.status = 'error' as is_error,
  coalesce(e.usage_detail, 0) as usage_detail, coalesce(e.cached_tokens, 0) + coalesce(e.cache_write_tokens, 0) as cache_tokens, e.counted, 'told_twice' = any (e.flags) as told_twice,
  e.reasoning_tokens, e.tool_requests is not null as tells_tools, e.inferred_tools is not null as infers_tools
from (
  select
    given.workspace_id, decode(given.trace_id, 'hex') as trace_id, given.response_id, given.scope_name, given.kind, given.place,
    'epoch'::timestamptz + given.start_time_us * interval '1 microsecond' as start_time,
    'epoch'::timestamptz + given.end_time_us * interval '1 microsecond' as end_time
  from unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[])
    with ordinality as given (workspace_id, trace_id, start_time_us, end_time_us, response_id, scope_name, kind, place)
) c
cross join lateral (
  (
    select * from (
      select * from events
      where workspace_id = c.workspace_id and response_id = c.response_id
        and start_time between c.start_time - interval '1 hour' and c.end_time + interval '1 millisecond'
      order by start_time desc
      limit 64
    ) sharing
    where trace_id <> c.trace_id and scope_name <> c.scope_name and kind = c.kind
    order by start_time desc
    limit 16
  )
  union all
  (
    select * from (
      select * from events
      where workspace_id = c.workspace_id and kind in ('llm', 'embedding') and response_id is null
        and start_time between c.start_time - interval '2 seconds' and c.start_time
      order by start_time desc
      limit 64
    ) before
    where trace_id <> c.trace_id and scope_name <> c.scope_name and kind = c.kind
    order by start_time desc
    limit 32
  )
  union all
  (
    select * from (
      select * from events
      where workspace_id = c.workspace_id and kind in ('llm', 'embedding') and response_id is null
        and start_time > c.start_time and start_time <= c.start_time + interval '2 seconds'
      order by start_time
      limit 64
    ) after
    where trace_id <> c.trace_id and scope_name <> c.scope_name and kind = c.kind
    order by start_time
    limit 32
  )
  union all
  (
    select * from (
      select * from events
      where workspace_id = c.workspace_id and c.response_id is null
        and start_time between c.start_time - interval '2 seconds' and c.start_time
      order by start_time desc
      limit 128
    ) before
    where trace_id <> c.trace_id and scope_name <> c.scope_name and kind = c.kind and response_id is not null
  )
  union all
  (
    select * from (
      select * from events
      where workspace_id = c.workspace_id and c.response_id is null
        and start_time > c.start_time and start_time <= c.start_time + interval '2 seconds'
      order by start_time
      limit 128
    ) after
    where trace_id <> c.trace_id and scope_name <> c.scope_name and kind = c.kind and response_id is not null
  )
) e
join agents a on a.workspace_id = e.workspace_id and a.id = e.agent_id
where e.counted or 'told_twice' = any (e.flags) and not 'nested_call' = any (e.flags)
