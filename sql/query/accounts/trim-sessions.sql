-- Ends the least recently used live sessions of a user beyond the cap, and deletes the oldest rows of ended ones, so that repeated sign-ins
-- do not fill the table. $1: user, $2: now, $3: maximum of live sessions, $4: maximum of other rows
-- index: sessions_by_user
with displaced as (
  update sessions set revoked_at = $2, revoked_reason = 'displaced'
  where id in (
    select id from sessions
    where user_id = $1 and revoked_at is null and expires_at > $2 and idle_expires_at > $2
    order by rotated_at desc, id desc
    offset $3
  )
)
delete from sessions where id in (
  select id from sessions
  where user_id = $1 and (revoked_at is not null or expires_at <= $2 or idle_expires_at <= $2)
  order by created_at desc, id desc
  offset $4
)
