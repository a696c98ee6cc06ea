-- sign-in: of one user's live sessions the least recently used ones beyond the cap end
-- index: sessions_by_user
update sessions set revoked_at = $2, revoked_reason = 'displaced'
where id in (
  select id from sessions
  where user_id = $1 and revoked_at is null and expires_at > $2 and idle_expires_at > $2
  order by rotated_at desc, id desc
  offset $3
)
