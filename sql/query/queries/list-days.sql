-- Lists the days of a time zone ($3) that the window from $1 to $2 touches, by the time at which each begins. Where the clock shows
-- midnight twice, that is the first of the two; PostgreSQL returns the second.
select case when (midnight - interval '1 hour') at time zone $3::text = day then midnight - interval '1 hour' else midnight end as day
from generate_series(
  date_trunc('day', $1::timestamptz at time zone $3::text),
  ($2::timestamptz - interval '1 microsecond') at time zone $3::text,
  interval '1 day'
) as days(day)
cross join lateral (select day at time zone $3::text as midnight) begun
order by midnight
