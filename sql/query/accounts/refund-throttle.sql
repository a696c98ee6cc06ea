-- an attempt that was no guess, given back to the window that it was counted in, and to no later one. $1: keys, $2: the ends of their windows
update throttles t set points = greatest(t.points - 1, 0)
from unnest($1::text[], $2::timestamptz[]) as w (key, expires_at)
where t.key = w.key and t.expires_at = w.expires_at
