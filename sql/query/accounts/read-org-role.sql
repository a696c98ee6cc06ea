-- Reads whether a session is live and the role of its user in an org. $1: session, $2: user, $3: org
select
  exists (select from sessions where id = $1 and user_id = $2 and revoked_at is null and expires_at > now()) as signed_in,
  (select role from memberships where org_id = $3 and user_id = $2) as role
