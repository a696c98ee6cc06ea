-- Marks an invite as accepted.
update invites set accepted_at = $2 where id = $1
