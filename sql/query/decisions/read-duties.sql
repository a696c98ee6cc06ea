-- What the loop has to do for a workspace beside proposing; nothing where it is gone. $2: ms between two detections of findings.
-- index: optimizer_progress_pkey
select clock_timestamp() as now, w.approves_decisions,
  p.found_at is null or p.found_at <= now() - $2::float8 * interval '1 millisecond' as is_finding_due
from workspaces w
join optimizer_progress p on p.workspace_id = w.id
where w.id = $1 and w.deleted_at is null
