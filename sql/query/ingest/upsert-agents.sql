-- Adds the sums of the stored rows to their agents. Locks in the order of keys, and after the traces, as settling does; this prevents
-- deadlocks. The agents exist and the transaction holds them, so none is inserted, and models are sorted only where an agent gets new ones.
-- The use of a slot of the agent cap ($8 is false) is written here and not when it is assigned:
-- an agent's row must not be locked before the traces are.
insert into agents as a (workspace_id, id, name, first_seen, last_seen, models, events, provisional)
select s.workspace_id, s.id, s.name, s.first_seen, s.last_seen, s.models::text[], s.events, s.provisional
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::bigint[],
  $8::boolean[])
  as s (workspace_id, id, name, first_seen, last_seen, models, events, provisional)
order by s.workspace_id, s.id
on conflict (workspace_id, id) do update set
  first_seen = least(a.first_seen, excluded.first_seen),
  last_seen = greatest(a.last_seen, excluded.last_seen),
  models = case
    when a.models @> excluded.models then a.models
    else (select (array_agg(distinct m order by m))[1:100] from unnest(a.models || excluded.models) m) end,
  events = a.events + excluded.events,
  provisional = a.provisional and excluded.provisional
