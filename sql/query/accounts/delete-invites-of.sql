-- Deletes the invites of a former member that were not accepted. $1: org, $2: user
-- index: invites_by_org
delete from invites where org_id = $1 and invited_by = $2 and accepted_at is null
returning id, role, expires_at > now() as was_open
