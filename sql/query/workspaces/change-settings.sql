-- what is null stays as it is
update workspaces set
  name = coalesce($2, name), content_mode = coalesce($3, content_mode), freshness_s = coalesce($4, freshness_s),
  approves_decisions = coalesce($5, approves_decisions)
where id = $1 and deleted_at is null
returning org_id, name, plan, content_mode, freshness_s, approves_decisions
