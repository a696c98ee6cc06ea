-- an org is deleted: no invite leads to it
-- index: invites_by_org
delete from invites where org_id = $1
