-- Locks the invites that a new invite to the same address would replace. $2: the forms of the address
-- index: invites_by_org
select role from invites where org_id = $1 and email = any($2::text[]) and accepted_at is null and expires_at > now() for update
