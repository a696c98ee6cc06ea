-- The days of a time zone ($3) that the window from $1 to $2 touches, by the moment at which each begins.
select day at time zone $3::text as day
from generate_series(
  date_trunc('day', $1::timestamptz at time zone $3::text),
  ($2::timestamptz - interval '1 microsecond') at time zone $3::text,
  interval '1 day'
) as days(day)
order by day
