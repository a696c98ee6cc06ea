-- Moves a decision, which the caller has locked, to another state and adds the row of its audit trail. If a rule ends and the caller gives no
-- measures, the row has those that were measured last while it was active: savings are computed with them after the decision has been
-- measured anew. If it was never measured while active, the score is null.
-- $3: the state, $4: further columns to set, $5–$9: id, actor, user, reason and measures of the audit row,
-- $10: without a proof, $11: to make room
-- scope: $1
-- index: decisions_pkey
with moment as materialized (
  select clock_timestamp() as at
), before as materialized (
  select d.state,
    case
      when d.state = 'active' and d.measured_at >= d.activated_at then jsonb_build_object(
        'shadow_samples', d.shadow_samples, 'shadow_match_rate', d.shadow_match_rate, 'cost_delta_usd', d.cost_delta_usd,
        'latency_delta_ms', d.latency_delta_ms, 'quality_delta', d.quality_delta, 'score', d.score, 'phase', d.state
      )
      when d.state = 'active' then jsonb_build_object('score', null, 'phase', d.state)
    end as measures
  from decisions d
  where d.workspace_id = $1 and d.id = $2
), moved as (
  update decisions d set
    state = $3,
    previous_state = before.state,
    shadow_at = case when $3 = 'shadow' then at else d.shadow_at end,
    activated_at = case when $3 = 'active' then at else d.activated_at end,
    disabled_at = case when $3 = 'disabled' then at else d.disabled_at end,
    -- what was served before does not apply to what is served from now on
    inputs = case when $3 = 'active' then d.inputs end,
    served_freshness_s = case when $3 = 'active' then d.served_freshness_s end,
    proven = d.proven and $3 <> 'disabled',
    forced = $10,
    evicted = $11,
    changed_at = at,
    (shadow_samples, shadow_match_rate, cost_delta_usd, latency_delta_ms, quality_delta, score, measured_at) = (
      select s.shadow_samples, s.shadow_match_rate, s.cost_delta_usd, s.latency_delta_ms, s.quality_delta, s.score, s.measured_at
      from jsonb_populate_record(d, $4::jsonb) s
    )
  from moment, before
  where d.workspace_id = $1 and d.id = $2
  returning d.*
), audited as (
  insert into decision_transitions (id, workspace_id, decision_id, from_state, to_state, actor, user_id, reason, measures, at)
  select $5, m.workspace_id, m.id, m.previous_state, m.state, $6, $7, $8, coalesce($9::jsonb, b.measures), m.changed_at
  from moved m, before b
)
select id, task_type_id, type, state, previous_state, config, shadow_samples, shadow_match_rate, cost_delta_usd,
  latency_delta_ms, quality_delta, score, proposed_at, shadow_at, activated_at, disabled_at, created_at
from moved
