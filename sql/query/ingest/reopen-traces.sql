-- Marks the given traces as not settled. $3: a trace of the same workspace, or null; if one is given, only if it received its last spans after
-- the trace to reopen. Returns the places, from 1, of those that another transaction holds at this moment; they are not changed.
-- index: traces_pkey
with given as materialized (
  select g.place, g.workspace_id, decode(g.trace_id, 'hex') as trace_id
  from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as g (workspace_id, trace_id, later_id, place)
  where g.later_id is null or (
    select later.last_received_at from traces later
    where later.workspace_id = g.workspace_id and later.trace_id = decode(g.later_id, 'hex')
  ) > (
    select t.last_received_at from traces t
    where t.workspace_id = g.workspace_id and t.trace_id = decode(g.trace_id, 'hex')
  )
), held as materialized (
  select t.workspace_id, t.trace_id
  from (select distinct workspace_id, trace_id from given) g
  join traces t on t.workspace_id = g.workspace_id and t.trace_id = g.trace_id
  for update of t skip locked
), reopened as (
  update traces t set settled = false
  from held h
  where t.workspace_id = h.workspace_id and t.trace_id = h.trace_id and t.settled
)
select g.place::integer as place
from given g
join traces t on t.workspace_id = g.workspace_id and t.trace_id = g.trace_id
where not exists (select from held h where h.workspace_id = t.workspace_id and h.trace_id = t.trace_id)
