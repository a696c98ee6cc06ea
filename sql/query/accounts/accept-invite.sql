-- the invite is spent
update invites set accepted_at = $2 where id = $1
