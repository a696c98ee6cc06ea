-- Begins a batch of a removal. One process at a time removes; and whoever waits for a lock makes others wait behind it, so it gives up after $1.
select set_config('lock_timeout', $1, true) as lock_timeout, pg_try_advisory_xact_lock(7277414) as held
