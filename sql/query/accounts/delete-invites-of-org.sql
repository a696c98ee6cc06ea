-- Deletes all invites of an org that is deleted.
-- index: invites_by_org
delete from invites where org_id = $1
