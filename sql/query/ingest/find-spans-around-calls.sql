-- Finds spans of the given traces that lie around a call of their kind and report it too. Only traces with at most 1,000 spans: a client
-- that begins its own trace puts little into it, and the search for one call must not read all spans of a sender that uses one id for
-- everything. One index look-up for each trace: for a join, the planner might read all traces.
-- index: traces_pkey, events_by_trace
select e.workspace_id, encode(e.trace_id, 'hex') as trace_id, encode(e.span_id, 'hex') as span_id,
  encode(e.parent_span_id, 'hex') as parent_span_id, e.kind
from (
  select distinct workspace_id, decode(trace_id, 'hex') as trace_id
  from unnest($1::uuid[], $2::text[]) as given (workspace_id, trace_id)
) due
join events e on e.workspace_id = due.workspace_id and e.trace_id = due.trace_id
where (select t.span_count from traces t where t.workspace_id = due.workspace_id and t.trace_id = due.trace_id) <= 1000
  and e.kind in ('llm', 'embedding') and not e.counted
  and ('nested_call' = any (e.flags) or not 'told_twice' = any (e.flags))
