-- Stores the measures of a decision ($3) and the time. The decision counts as changed only where a field that is shown has a new value.
-- scope: $1
-- index: decisions_pkey
with measured as materialized (
  select m.*
  from decisions d
  cross join lateral jsonb_populate_record(d, $3::jsonb) m
  where d.workspace_id = $1 and d.id = $2
)
update decisions d set
  shadow_samples = m.shadow_samples,
  shadow_match_rate = m.shadow_match_rate,
  cost_delta_usd = m.cost_delta_usd,
  latency_delta_ms = m.latency_delta_ms,
  quality_delta = m.quality_delta,
  score = m.score,
  measured_at = clock_timestamp(),
  changed_at = case
    when (d.shadow_samples, d.shadow_match_rate, d.cost_delta_usd, d.latency_delta_ms, d.quality_delta, d.score)
      is distinct from (m.shadow_samples, m.shadow_match_rate, m.cost_delta_usd, m.latency_delta_ms, m.quality_delta, m.score)
    then clock_timestamp() else d.changed_at
  end
from measured m
where d.workspace_id = $1 and d.id = $2
