-- Reads one decision.
-- scope: $1
-- index: decisions_pkey
select id, task_type_id, type, state, previous_state, config, shadow_samples, shadow_match_rate, cost_delta_usd,
  latency_delta_ms, quality_delta, score, proposed_at, shadow_at, activated_at, disabled_at, created_at
from decisions
where workspace_id = $1 and id = $2
