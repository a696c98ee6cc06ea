-- Deletes the earlier invite to an address when a new one replaces it. $2: the forms of the address
-- index: invites_by_org
delete from invites where org_id = $1 and email = any($2::text[]) and accepted_at is null
returning id, role, expires_at > now() as was_open
