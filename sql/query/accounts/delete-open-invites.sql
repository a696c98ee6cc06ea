-- a new invite replaces the earlier one to the same address
-- index: invites_by_org
delete from invites where org_id = $1 and email = $2 and accepted_at is null
