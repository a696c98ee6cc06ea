-- Serializes the processes that make, retire and drop signing keys.
select pg_advisory_xact_lock(7277413)
