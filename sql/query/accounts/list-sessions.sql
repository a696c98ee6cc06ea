-- Lists the sessions that a user can still refresh, the last used first. $1: user, $2: now
-- index: sessions_by_user
select id, created_at, rotated_at, user_agent, ip_prefix
from sessions
where user_id = $1 and revoked_at is null and expires_at > $2 and idle_expires_at > $2
order by rotated_at desc, id desc
