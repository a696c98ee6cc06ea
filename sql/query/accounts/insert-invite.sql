-- Inserts an invite.
insert into invites (id, org_id, email, role, token_digest, invited_by, expires_at) values ($1, $2, $3, $4, $5, $6, $7)
