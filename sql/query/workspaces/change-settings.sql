-- Changes settings of a workspace. A null leaves the setting unchanged, except for the retention days: $9 says whether they change, and
-- null means those of the plan.
update workspaces set
  name = coalesce($2, name), content_mode = coalesce($3, content_mode), freshness_s = coalesce($4, freshness_s),
  approves_decisions = coalesce($5, approves_decisions), holdout_rate = coalesce($6, holdout_rate), floor = coalesce($7, floor),
  alpha = coalesce($8, alpha), retention_days = case when $9::boolean then $10::integer else retention_days end
where id = $1 and deleted_at is null
returning org_id, name, plan, content_mode, freshness_s, approves_decisions, holdout_rate, floor, alpha, retention_days
