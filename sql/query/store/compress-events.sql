-- Compresses older events. Waits at most five seconds for transactions that use the table; the service starts without the compression too.
select set_config('lock_timeout', '5s', true) as lock_timeout, compress_events_after(make_interval(hours => $1)) as compressed
