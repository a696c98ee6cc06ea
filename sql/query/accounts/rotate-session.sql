-- refresh, decided under the row lock of this one statement. $2: the counter presented, $3: now, $4: end of idleness,
-- $5: for how many milliseconds after a rotation its parent is still welcome, $6: prefix of the client's address. How long ago that was, only
-- the clock of the database tells: the two requests may come to two fronts, whose own clocks differ.
-- Equal counters rotate; the parent within the grace changes nothing; any older token ends the session.
update sessions s set
  counter = case when s.counter = $2::bigint then s.counter + 1 else s.counter end,
  rotated_at = case when s.counter = $2::bigint then clock_timestamp() else s.rotated_at end,
  ip_prefix = case when s.counter = $2::bigint then $6::text else s.ip_prefix end,
  idle_expires_at = case when s.counter = $2::bigint then $4::timestamptz else s.idle_expires_at end,
  revoked_at = case when s.counter = $2::bigint or (s.counter = $2::bigint + 1 and s.rotated_at > clock_timestamp() - $5 * interval '1 millisecond') then null else $3::timestamptz end,
  revoked_reason = case when s.counter = $2::bigint or (s.counter = $2::bigint + 1 and s.rotated_at > clock_timestamp() - $5 * interval '1 millisecond') then null else 'reuse' end
where s.id = $1 and s.revoked_at is null and s.expires_at > $3::timestamptz and s.idle_expires_at > $3::timestamptz
  and s.counter >= $2::bigint
returning s.counter, s.revoked_at is not null as reused
