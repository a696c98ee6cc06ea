-- Ends one session of a user. No row where the session is not theirs. $1: session, $2: user, $3: now
with ended as (
  update sessions set revoked_at = $3, revoked_reason = 'ended'
  where id = $1 and user_id = $2 and revoked_at is null
  returning id
)
select (select count(*) from ended) as ended from sessions where id = $1 and user_id = $2
