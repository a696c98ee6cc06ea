-- Reads a decision with what its measurement needs, and the last measures. `readmits_inputs`: since the last measurement, two minutes have
-- passed since the invalidation of an input; the rules leave the input out for that time.
-- scope: $1
-- index: decisions_pkey
select d.id, d.workspace_id, d.type, d.state, d.tool_name, d.tool_version, d.input_hash, d.agent_id, d.config, d.forced, d.proven, d.inputs,
  d.served_freshness_s, (extract(epoch from d.inputs_changed_at) * 1000000)::bigint as inputs_changed_us,
  (extract(epoch from d.doubted_until) * 1000000)::bigint as doubted_us, w.freshness_s as default_freshness_s,
  w.holdout_rate as default_holdout_rate, w.floor as default_floor, w.alpha as default_alpha,
  d.shadow_samples, d.shadow_match_rate, d.score,
  (extract(epoch from d.shadow_at) * 1000000)::bigint as shadow_us, (extract(epoch from d.activated_at) * 1000000)::bigint as activated_us,
  (extract(epoch from d.disabled_at) * 1000000)::bigint as disabled_us,
  coalesce((
    select t.actor = 'user' and t.from_state = 'active' and t.to_state = 'shadow'
    from decision_transitions t
    where t.workspace_id = $1 and t.decision_id = $2
    order by t.at desc, t.id desc
    limit 1
  ), false) as is_held_by_user,
  exists (
    select from invalidations i
    where i.workspace_id = $1 and i.tool_name = d.tool_name and i.input_hash is not null
      and i.at > d.measured_at - interval '2 minutes' and i.at <= clock_timestamp() - interval '2 minutes'
  ) as readmits_inputs,
  concat_ws(' ', d.changed_at, d.measured_at) as version
from decisions d
join workspaces w on w.id = d.workspace_id
where d.workspace_id = $1 and d.id = $2
