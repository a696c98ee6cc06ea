-- Writes what resolving found to the spans that differ, and moves their counts between agents, which it returns. Provisional agents that
-- spans move to, and those of $14 and $15, which keep spans, are in a settled trace from then on.
-- Locks in the order of keys, and after the traces, as a group commit does; this prevents deadlocks. $5: the agent that a span had when it
-- was read; only the transaction that holds its trace changes it. $10: those of its flags that resolving sets, each list as text. No two
-- lists are joined, since the planner does not know their sizes.
-- Each key is a range that only the index named here can serve: by the trace index, a span of a large trace would be searched among all its
-- spans. The range begins with the start, and stands before the conditions on the start alone: by an equal start, or by these conditions
-- first, a span would be searched among all that have the same start. In an update with a join, no condition on the start excludes chunks:
-- each key is looked up in each of them.
-- index: events_pkey
with changed as (
  select
    c.workspace_id, 'epoch'::timestamptz + c.start_time_us * interval '1 microsecond' as start_time,
    decode(c.trace_id, 'hex') as trace_id, decode(c.span_id, 'hex') as span_id, c.agent_id as old_agent_id, a.id as agent_id,
    c.session_id, c.user_id, c.counted, c.flags::text[] as flags, c.reasoning_tokens, c.inferred_tools, c.agent_unnamed
  from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::boolean[], $10::text[],
    $11::bigint[], $12::text[], $13::boolean[])
    as c (workspace_id, start_time_us, trace_id, span_id, agent_id, agent_name, session_id, user_id, counted, flags, reasoning_tokens,
      inferred_tools, agent_unnamed)
  join agents a on a.workspace_id = c.workspace_id and a.name = c.agent_name
), updated as (
  update events e
  set agent_id = c.agent_id, session_id = c.session_id, user_id = c.user_id, counted = c.counted,
    reasoning_tokens = c.reasoning_tokens, inferred_tools = c.inferred_tools,
    agent_unnamed = c.agent_unnamed,
    flags = case
      when c.flags = '{}' and not e.flags && '{told_twice, nested_call, id_repeated, tool_inferred, error_carried}' then e.flags
      else array(
        select flag from unnest(e.flags) flag where flag not in ('told_twice', 'nested_call', 'id_repeated', 'tool_inferred', 'error_carried')
        union all select unnest(c.flags)
        order by 1
      )
    end
  from changed c
  where e.workspace_id = c.workspace_id
    and (e.start_time, e.trace_id, e.span_id) >= (c.start_time, c.trace_id, c.span_id)
    and (e.start_time, e.trace_id, e.span_id) <= (c.start_time, c.trace_id, c.span_id)
    and e.start_time >= c.start_time and e.start_time <= c.start_time
  returning e.workspace_id, e.start_time, c.old_agent_id, e.agent_id, case when e.counted then e.model end as model
), moves as (
  select workspace_id, agent_id, 1 as won, start_time, model from updated where old_agent_id <> agent_id
  union all
  select workspace_id, old_agent_id, -1, start_time, null from updated where old_agent_id <> agent_id
  union all
  select workspace_id, agent_id, 0, null, null from unnest($14::uuid[], $15::uuid[]) as kept (workspace_id, agent_id)
)
insert into agents as a (workspace_id, id, name, first_seen, last_seen, models, events, in_settled_trace)
select
  m.workspace_id, m.agent_id, known.name,
  coalesce(min(m.start_time) filter (where m.won = 1), known.first_seen),
  coalesce(max(m.start_time) filter (where m.won = 1), known.last_seen),
  coalesce((array_agg(distinct m.model) filter (where m.model is not null))[1:100], '{}'), sum(m.won),
  bool_or(m.won >= 0)
from moves m
join agents known on known.workspace_id = m.workspace_id and known.id = m.agent_id
group by m.workspace_id, m.agent_id, known.name, known.first_seen, known.last_seen
order by m.workspace_id, m.agent_id
on conflict (workspace_id, id) do update set
  first_seen = least(a.first_seen, excluded.first_seen),
  last_seen = greatest(a.last_seen, excluded.last_seen),
  models = (select coalesce((array_agg(distinct model order by model))[1:100], '{}') from unnest(a.models || excluded.models) model),
  events = a.events + excluded.events,
  in_settled_trace = a.in_settled_trace or (a.provisional and excluded.in_settled_trace)
returning workspace_id, id, events
