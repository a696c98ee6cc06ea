-- Reads whether a session is live.
select exists (select from sessions where id = $1 and user_id = $2 and revoked_at is null and expires_at > now()) as signed_in
