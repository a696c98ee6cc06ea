-- Begins a batch of a removal. Only one process removes at a time.
-- A statement that waits for a lock blocks those behind it, so waits end after $1.
select set_config('lock_timeout', $1, true) as lock_timeout, pg_try_advisory_xact_lock(7277414) as held
