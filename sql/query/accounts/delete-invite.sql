-- Deletes an invite that is withdrawn.
delete from invites where id = $1
