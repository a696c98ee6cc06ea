-- Reads what the loop has to do for a workspace besides proposing. No row where the workspace is deleted. $2: ms between two detections of
-- findings. In a young workspace the interval is at most its age at the last detection, so that detection does not wait for $2 after its
-- first seconds.
-- scope: $1
-- index: optimizer_progress_pkey
select clock_timestamp() as now, w.approves_decisions,
  p.found_at is null
    or p.found_at <= now() - least($2::float8 * interval '1 millisecond', p.found_at - w.created_at) as is_finding_due
from workspaces w
join optimizer_progress p on p.workspace_id = w.id
where w.id = $1 and w.deleted_at is null
