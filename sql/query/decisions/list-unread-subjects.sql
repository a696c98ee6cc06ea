-- Lists the agents and versions with which tools that attest `unread` ran from $2 to $3, by the newest $4 runs of each tool and at most a
-- thousand tools; the busiest first, at most $7. Left out are those with a live decision of the type $5, and those with one that was
-- disabled since $6 for another reason than to make room. `rival`: the live decision on another version of the tool, if that version ran
-- less than half as often, its rule served no call (served calls do not run), and no user has made or moved it.
-- scope: $1
-- index: events_unread_starts, events_by_decision, decisions_by_subject, decisions_disabled, decision_transitions_by_decision
with recursive tools as (
  (
    select 1 as place, e.tool_name from events e
    where e.workspace_id = $1 and e.attested_unread and not e.served and e.tool_name is not null
    order by e.tool_name limit 1
  )
  union all
  select t.place + 1, (
    select e.tool_name from events e
    where e.workspace_id = $1 and e.attested_unread and not e.served and e.tool_name > t.tool_name
    order by e.tool_name limit 1
  )
  from tools t where t.tool_name is not null and t.place < 1000
), touched as materialized (
  select t.tool_name, e.tool_version, e.agent_id, count(*) as runs
  from tools t
  cross join lateral (
    select e.tool_version, e.agent_id from events e
    where e.workspace_id = $1 and e.tool_name = t.tool_name and e.attested_unread and not e.served
      and e.start_time >= $2 and e.start_time < $3
    order by e.start_time desc
    limit $4
  ) e
  where t.tool_name is not null
  group by 1, 2, 3
)
select t.tool_name, t.tool_version, t.agent_id,
  case when d.id is not null then jsonb_build_object('id', d.id, 'state', d.state) end as rival
from touched t
left join decisions d on d.workspace_id = $1 and d.type = $5 and d.tool_name = t.tool_name and d.input_hash is null
  and d.agent_id = t.agent_id and d.state <> 'disabled'
where (
    d.id is null or d.tool_version is distinct from t.tool_version and t.runs > 2 * coalesce((
      select r.runs from touched r
      where r.tool_name = t.tool_name and r.agent_id = t.agent_id and r.tool_version is not distinct from d.tool_version
    ), 0) and not exists (
      select from decision_transitions m where m.workspace_id = $1 and m.decision_id = d.id and m.actor = 'user'
    ) and not exists (
      select from events s where s.workspace_id = $1 and s.decision_id = d.id and s.start_time >= $2 and s.start_time < $3
    )
  ) and not exists (
    select from decisions o where o.workspace_id = $1 and o.type = $5 and o.tool_name = t.tool_name and o.input_hash is null
      and o.agent_id is null and o.state <> 'disabled'
  ) and not exists (
    select from decisions o where o.workspace_id = $1 and o.type = $5 and o.tool_name = t.tool_name and o.input_hash is null
      and (o.agent_id = t.agent_id or o.agent_id is null) and o.tool_version is not distinct from t.tool_version
      and o.state = 'disabled' and o.disabled_at >= $6 and not o.evicted
  )
order by t.runs desc, t.tool_name, t.agent_id, t.tool_version
limit $7
