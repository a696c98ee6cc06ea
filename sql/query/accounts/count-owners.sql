-- an org keeps at least one owner
select count(*) as owners from memberships where org_id = $1 and role = 'owner'
