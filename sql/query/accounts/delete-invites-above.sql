-- a role was lowered: void is what the member ($2) invited to and could not invite to any more. $3: roles that they may still give
-- index: invites_by_org
delete from invites where org_id = $1 and invited_by = $2 and accepted_at is null and role <> all ($3::text[])
returning id, role, expires_at > now() as was_open
