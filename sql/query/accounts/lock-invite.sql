-- Locks an invite that is not accepted, so that it is either accepted or withdrawn. $1: org, $2: invite
-- index: invites_pkey
select role from invites where org_id = $1 and id = $2 and accepted_at is null for update
