-- Resolves findings without evidence since the time of their type ($3, parallel to the types $2).
-- Nothing that was found is older than that.
-- scope: $1
update findings f
set status = 'resolved', resolved_at = $4
from unnest($2::text[], $3::timestamptz[]) as gone (type, since)
where f.workspace_id = $1 and f.type = gone.type and f.status <> 'resolved' and f.last_seen < gone.since
