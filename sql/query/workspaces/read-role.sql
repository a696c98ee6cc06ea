-- Reads whether a session is live and the role of its user in a workspace. $1: workspace, $2: user, $3: session
-- index: workspaces_pkey, memberships_pkey, sessions_pkey
select
  exists (select from sessions where id = $3 and user_id = $2 and revoked_at is null and expires_at > now()) as signed_in,
  (
    select m.role from workspaces w join memberships m on m.org_id = w.org_id
    where w.id = $1 and w.deleted_at is null and m.user_id = $2
  ) as role
