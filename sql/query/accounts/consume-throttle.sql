-- Counts one attempt before it is checked. No row where the window is full; a full window is not changed.
-- $1: key, $2: now, $3: end of a window that starts now, $4: attempts in a window (2^53 - 1 in load tests)
insert into throttles as t (key, points, expires_at) values ($1, 1, $3)
on conflict (key) do update set
  points = case when t.expires_at <= $2 then 1 else t.points + 1 end,
  expires_at = case when t.expires_at <= $2 then excluded.expires_at else t.expires_at end
where t.expires_at <= $2 or t.points < $4::bigint
returning expires_at
