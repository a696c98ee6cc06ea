-- Waits five seconds at most for those who use the table just now: the service starts without it, too.
select set_config('lock_timeout', '5s', true) as lock_timeout, compress_events_after(make_interval(hours => $1)) as compressed
