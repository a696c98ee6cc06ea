-- Lists the agents and versions with which these tools ($2) ran attested from $3 to $4, by the newest $5 runs of each tool, the busiest
-- first. Left out are those with a live decision of the type $6, and those with one that was disabled since $7 for another reason than to
-- make room. `rival`: the live decision on another version of the tool, if that version ran less than half as often, its rule served no
-- call (served calls do not run), and no user has made or moved it. A tool and an agent have one live decision, so of several versions only
-- the one that ran most often is listed.
-- scope: $1
-- index: events_attested_calls, events_by_decision, decisions_by_subject, decisions_disabled
with touched as materialized (
  select t.tool_name, e.tool_version, e.agent_id, count(*) as runs
  from unnest($2::text[]) t(tool_name)
  cross join lateral (
    select e.tool_version, e.agent_id from events e
    where e.workspace_id = $1 and e.tool_name = t.tool_name and e.attested and not e.served
      and e.start_time >= $3 and e.start_time < $4
    order by e.start_time desc
    limit $5
  ) e
  group by 1, 2, 3
), free as (
  select distinct on (t.tool_name, t.agent_id) t.tool_name, t.tool_version, t.agent_id, t.runs,
    case when d.id is not null then jsonb_build_object('id', d.id, 'state', d.state) end as rival
  from touched t
  left join decisions d on d.workspace_id = $1 and d.type = $6 and d.tool_name = t.tool_name and d.input_hash is null
    and d.agent_id = t.agent_id and d.state <> 'disabled'
  where (
      d.id is null or d.tool_version is distinct from t.tool_version and t.runs > 2 * coalesce((
        select r.runs from touched r
        where r.tool_name = t.tool_name and r.agent_id = t.agent_id and r.tool_version is not distinct from d.tool_version
      ), 0) and not exists (
        select from decision_transitions m where m.workspace_id = $1 and m.decision_id = d.id and m.actor = 'user'
      ) and not exists (
        select from events s where s.workspace_id = $1 and s.decision_id = d.id and s.start_time >= $3 and s.start_time < $4
      )
    ) and not exists (
      select from decisions o where o.workspace_id = $1 and o.type = $6 and o.tool_name = t.tool_name and o.input_hash is null
        and o.agent_id is null and o.state <> 'disabled'
    ) and not exists (
      select from decisions o where o.workspace_id = $1 and o.type = $6 and o.tool_name = t.tool_name and o.input_hash is null
        and (o.agent_id = t.agent_id or o.agent_id is null) and o.tool_version is not distinct from t.tool_version
        and o.state = 'disabled' and o.disabled_at >= $7 and not o.evicted
    )
  order by t.tool_name, t.agent_id, t.runs desc, t.tool_version
)
select f.tool_name, f.tool_version, f.agent_id, f.rival
from free f
order by f.runs desc, f.tool_name, f.agent_id
limit $8
