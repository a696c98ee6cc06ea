-- Lists the open invites of an org, newest first.
-- index: invites_by_org
select id, email, role, invited_by, created_at, expires_at
from invites
where org_id = $1 and accepted_at is null and expires_at > now()
order by created_at desc, id desc
limit $2 offset $3
