-- Opens the findings of $2 (an array of rows) and updates the unresolved ones that differ; returns for each of these whether it is new.
-- What a resolved finding has covered stays closed: its evidence, and everything until a user resolved it while there was still evidence in
-- the look-back (at most seven days). The decision is the live one that serves the same calls;
-- the one furthest in its life cycle has precedence.
-- scope: $1
-- index: findings_by_last_seen, findings_by_subject
with found as (
  select * from jsonb_to_recordset($2::jsonb) as f (
    id uuid, type text, look_back_ms float8, subject text, severity text, title text, detail text, agent_id uuid, tool_name text,
    model text, occurrences bigint, est_monthly_cost_usd float8, evidence jsonb, decision_type text, input_hashes text[],
    first_seen timestamptz, last_seen timestamptz
  )
), closed as (
  select f.type, f.subject, max(r.last_seen) as seen_until,
    max(r.resolved_at) filter (where r.resolved_at <= r.last_seen + f.look_back_ms * interval '1 millisecond') as closed_until
  from found f
  join findings r on r.workspace_id = $1 and r.type = f.type and r.subject = f.subject and r.status = 'resolved'
  where r.last_seen > (select min(last_seen) from found) - interval '7 days'
  group by 1, 2
), open as (
  select f.*, c.closed_until, d.id as decision_id
  from found f
  left join closed c using (type, subject)
  left join lateral (
    select d.id
    from decisions d
    where d.workspace_id = $1 and d.type = f.decision_type and d.tool_name = f.tool_name and d.state <> 'disabled'
      and (d.agent_id is null or d.agent_id = f.agent_id)
      and (f.input_hashes is null or d.input_hash is null or d.input_hash = any (f.input_hashes))
    order by array_position(array['active', 'shadow', 'proposed'], d.state), array_position(f.input_hashes, d.input_hash), d.id
    limit 1
  ) d on true
  where coalesce(f.last_seen > greatest(c.seen_until, c.closed_until), true)
    or exists (
      select from findings l
      where l.workspace_id = $1 and l.type = f.type and l.subject = f.subject and l.status <> 'resolved'
    )
)
insert into findings as l (id, workspace_id, type, subject, severity, status, title, detail, agent_id, tool_name, model, occurrences,
  est_monthly_cost_usd, evidence, decision_id, first_seen, last_seen)
select id, $1, type, subject, severity, 'open', title, detail, agent_id, tool_name, model, occurrences, est_monthly_cost_usd, evidence,
  decision_id, greatest(first_seen, closed_until), last_seen
from open
order by type, subject
on conflict (workspace_id, type, subject) where status <> 'resolved' do update set
  severity = excluded.severity,
  title = excluded.title,
  detail = excluded.detail,
  agent_id = excluded.agent_id,
  tool_name = excluded.tool_name,
  model = excluded.model,
  occurrences = excluded.occurrences,
  est_monthly_cost_usd = excluded.est_monthly_cost_usd,
  evidence = excluded.evidence,
  decision_id = excluded.decision_id,
  first_seen = least(l.first_seen, excluded.first_seen),
  last_seen = greatest(l.last_seen, excluded.last_seen)
where (l.severity, l.title, l.detail, l.agent_id, l.tool_name, l.model, l.occurrences, l.est_monthly_cost_usd, l.evidence,
    l.decision_id, l.first_seen, l.last_seen)
  is distinct from (excluded.severity, excluded.title, excluded.detail, excluded.agent_id, excluded.tool_name, excluded.model,
    excluded.occurrences, excluded.est_monthly_cost_usd, excluded.evidence, excluded.decision_id,
    least(l.first_seen, excluded.first_seen), greatest(l.last_seen, excluded.last_seen))
returning xmax = 0 as is_new
