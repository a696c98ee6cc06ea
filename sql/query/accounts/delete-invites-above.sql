-- Deletes the open invites of a member ($2) whose role was lowered, where they may no longer invite to that role.
-- $3: the roles that the member may still give
-- index: invites_by_org
delete from invites where org_id = $1 and invited_by = $2 and accepted_at is null and role <> all ($3::text[])
returning id, role, expires_at > now() as was_open
