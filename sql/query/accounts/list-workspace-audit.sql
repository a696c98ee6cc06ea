-- Lists rows of the audit log of a workspace ($1), newest first, below a row ($4, $5) or, where $4 is null, from the end of the window
-- ($3). $2 and $3 are in microseconds. A row without an actor belongs to its target.
-- index: audit_log_by_workspace
select l.id, l.at, l.at::text as at_key, l.audited_workspace_id as workspace_id, l.actor_user_id, u.email as actor_email,
  l.action, l.target, l.request_id, l.ip_prefix, l.detail
from audit_log l
left join users u on u.id = l.actor_user_id
where l.audited_workspace_id = $1
  and l.at >= 'epoch'::timestamptz + $2::bigint * interval '1 microsecond'
  and (l.at, l.id) < (coalesce($4, 'epoch'::timestamptz + $3::bigint * interval '1 microsecond'), $5::uuid)
  and ($6::uuid is null or coalesce(l.actor_user_id::text, l.target) = $6::text) and ($7::text is null or l.action = $7)
order by l.at desc, l.id desc
limit $8
