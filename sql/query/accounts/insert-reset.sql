-- Inserts a reset token that was requested by mail ($3 and $4 null) or made by an owner of one of the user's orgs.
insert into password_resets (digest, user_id, made_by, org_id, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)
