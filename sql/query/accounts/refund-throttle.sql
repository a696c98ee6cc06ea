-- Takes back attempts that were not guesses, only from the windows in which they were counted. $1: keys, $2: the ends of their windows
update throttles t set points = greatest(t.points - 1, 0)
from unnest($1::text[], $2::timestamptz[]) as w (key, expires_at)
where t.key = w.key and t.expires_at = w.expires_at
