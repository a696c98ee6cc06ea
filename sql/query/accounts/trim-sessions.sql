-- sign-in: of one user's live sessions the least recently used ones beyond the cap end; of those that have ended the oldest rows go,
-- so that somebody who signs in in a loop fills no table. $1: user, $2: now, $3: most live ones, $4: most others
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
