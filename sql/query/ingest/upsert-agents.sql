-- Adds the stored rows to their agents. In key order, and after the traces, as settling does: rivals cannot deadlock.
insert into agents as a (workspace_id, id, name, first_seen, last_seen, models, events)
select
  s.workspace_id, known.id, s.agent_name, min(s.start_time), max(s.start_time),
  coalesce((array_agg(distinct s.model) filter (where s.counted and s.model is not null))[1:100], '{}'), count(*)
from stage s
join agents known on known.workspace_id = s.workspace_id and known.name = s.agent_name
group by s.workspace_id, known.id, s.agent_name
order by s.workspace_id, known.id
on conflict (workspace_id, id) do update set
  first_seen = least(a.first_seen, excluded.first_seen),
  last_seen = greatest(a.last_seen, excluded.last_seen),
  models = case
    when a.models @> excluded.models then a.models
    else (select (array_agg(distinct m order by m))[1:100] from unnest(a.models || excluded.models) m) end,
  events = a.events + excluded.events
