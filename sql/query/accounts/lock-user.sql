-- Serializes the sign-ins of one user, so that the cap on sessions holds.
select id, password_changed_at from users where id = $1 for no key update
