-- What the loop has to do for a workspace beside proposing; nothing where it is gone. $2: ms between two detections of findings, but
-- in a young workspace no longer than it has been there, so that the first minutes are not told of by their first second.
-- scope: $1
-- index: optimizer_progress_pkey
select clock_timestamp() as now, w.approves_decisions,
  p.found_at is null
    or p.found_at <= now() - least($2::float8 * interval '1 millisecond', p.found_at - w.created_at) as is_finding_due
from workspaces w
join optimizer_progress p on p.workspace_id = w.id
where w.id = $1 and w.deleted_at is null
