-- Reads the settings of a live workspace.
select name, plan, content_mode, freshness_s, approves_decisions, holdout_rate, floor, alpha, retention_days
from workspaces
where id = $1 and deleted_at is null
