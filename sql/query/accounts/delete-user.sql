-- a user with their sessions, memberships and the invites that they made
delete from users where id = $1
