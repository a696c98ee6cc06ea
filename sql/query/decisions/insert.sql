-- Inserts a decision and the first row of its audit trail. No row where the subject has a live decision.
-- $1–$5: the subject, $6: id, $7: task type, $8: config, $9–$12: id, actor, user and reason of the audit row, $13: the version of the tool
-- scope: $1
with moment as materialized (
  select clock_timestamp() as at
), made as (
  insert into decisions (id, workspace_id, task_type_id, type, state, tool_name, input_hash, agent_id, config, proposed_at, created_at,
    changed_at, tool_version)
  select $6, $1, $7, $2, 'proposed', $3, $4, $5, $8, at, at, at, $13 from moment
  on conflict do nothing
  returning *
), audited as (
  insert into decision_transitions (id, workspace_id, decision_id, from_state, to_state, actor, user_id, reason, at)
  select $9, workspace_id, id, null, state, $10, $11, $12, proposed_at from made
)
select id, task_type_id, type, state, previous_state, config, shadow_samples, shadow_match_rate, cost_delta_usd,
  latency_delta_ms, quality_delta, score, proposed_at, shadow_at, activated_at, disabled_at, created_at
from made
