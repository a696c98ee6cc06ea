-- one process at a time makes, retires and drops signing keys
select pg_advisory_xact_lock(7277413)
