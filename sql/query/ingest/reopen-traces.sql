-- Marks the given traces as not settled. Returns those that another transaction holds at this moment; they are not changed.
-- index: traces_pkey
with given as (
  select workspace_id, decode(trace_id, 'hex') as trace_id
  from unnest($1::uuid[], $2::text[]) as given (workspace_id, trace_id)
), held as materialized (
  select t.workspace_id, t.trace_id
  from given g
  join traces t on t.workspace_id = g.workspace_id and t.trace_id = g.trace_id
  for update of t skip locked
), reopened as (
  update traces t set settled = false
  from held h
  where t.workspace_id = h.workspace_id and t.trace_id = h.trace_id and t.settled
)
select t.workspace_id, encode(t.trace_id, 'hex') as trace_id
from given g
join traces t on t.workspace_id = g.workspace_id and t.trace_id = g.trace_id
where not exists (select from held h where h.workspace_id = t.workspace_id and h.trace_id = t.trace_id)
