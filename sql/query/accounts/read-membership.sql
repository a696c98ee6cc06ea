-- Reads the role of one member.
select role from memberships where org_id = $1 and user_id = $2
