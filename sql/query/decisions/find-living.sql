-- Finds the live decision of a subject. $4: the input, null for all; $5: the agent, null for all.
-- scope: $1
-- index: decisions_by_subject
select id, task_type_id, type, state, previous_state, config, shadow_samples, shadow_match_rate, cost_delta_usd,
  latency_delta_ms, quality_delta, score, proposed_at, shadow_at, activated_at, disabled_at, created_at
from decisions
where workspace_id = $1 and type = $2 and tool_name = $3 and input_hash is not distinct from $4 and agent_id is not distinct from $5::uuid
  and state <> 'disabled'
