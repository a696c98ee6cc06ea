-- Waits until no other transaction writes findings of the workspace; holds the lock until the end of the transaction.
select pg_advisory_xact_lock(hashtextextended('findings/' || $1, 0))
