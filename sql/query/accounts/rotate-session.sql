-- Refreshes a session. One statement decides under the row lock: an equal counter rotates; the previous counter within the grace period
-- changes nothing; any older counter ends the session. $2: the counter presented, $3: now, $4: end of idleness, $5: the grace period after
-- a rotation in milliseconds, $6: prefix of the client's address. The grace period is measured by the clock of the database, because the
-- two requests may reach two fronts whose clocks differ.
update sessions s set
  counter = case when s.counter = $2::bigint then s.counter + 1 else s.counter end,
  rotated_at = case when s.counter = $2::bigint then clock_timestamp() else s.rotated_at end,
  ip_prefix = case when s.counter = $2::bigint then $6::text else s.ip_prefix end,
  idle_expires_at = case when s.counter = $2::bigint then $4::timestamptz else s.idle_expires_at end,
  revoked_at = case when s.counter = $2::bigint or (s.counter = $2::bigint + 1 and s.rotated_at > clock_timestamp() - $5 * interval '1 millisecond') then null else $3::timestamptz end,
  revoked_reason = case when s.counter = $2::bigint or (s.counter = $2::bigint + 1 and s.rotated_at > clock_timestamp() - $5 * interval '1 millisecond') then null else 'reuse' end
where s.id = $1 and s.revoked_at is null and s.expires_at > $3::timestamptz and s.idle_expires_at > $3::timestamptz
  and s.counter >= $2::bigint
returning s.counter, s.revoked_at is not null as reused, least(s.idle_expires_at, s.expires_at) as ends_at
