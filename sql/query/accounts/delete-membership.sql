-- Removes a member from an org.
delete from memberships where org_id = $1 and user_id = $2
