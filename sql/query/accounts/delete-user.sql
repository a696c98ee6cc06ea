-- Deletes a user. Their sessions, memberships and invites are deleted with them.
delete from users where id = $1
