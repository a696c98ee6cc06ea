-- Counts the open invites of an org, for the cap on invites.
-- index: invites_by_org
select count(*) as open from invites where org_id = $1 and accepted_at is null and expires_at > now()
