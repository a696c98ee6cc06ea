-- a member is removed or leaves
delete from memberships where org_id = $1 and user_id = $2
