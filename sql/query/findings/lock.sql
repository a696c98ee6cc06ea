-- Waits until nobody else writes findings of the workspace; held to the end of the transaction.
select pg_advisory_xact_lock(hashtextextended('findings/' || $1, 0))
