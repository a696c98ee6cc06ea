-- Lists one page of decisions, most recently changed first.
-- scope: $1
-- index: decisions_by_change
select id, task_type_id, type, state, previous_state, config, shadow_samples, shadow_match_rate, cost_delta_usd,
  latency_delta_ms, quality_delta, score, proposed_at, shadow_at, activated_at, disabled_at, created_at
from decisions
where workspace_id = $1
  and ($2::text is null or type = $2)
  and ($3::text is null or state = $3)
  and ($4::uuid is null or agent_id = $4)
  and ($5::text is null or tool_name = $5)
order by changed_at desc, id desc
limit $6 offset $7
