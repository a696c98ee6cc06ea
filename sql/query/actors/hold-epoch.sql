-- The fence of a write. It locks the row until the commit. The write waits for a process that is claiming the partition, for at most 2 s;
-- a claiming process skips the locked row and tries again later (claim-partitions.sql). Without the lock a process that has lost the
-- partition could write beside a claim that is about to commit. A session that is idle for 2 s before its commit is ended; otherwise no
-- process could claim the partition.
-- index: partitions_pkey
with bounds as materialized (
  select set_config('lock_timeout', '2000', true), set_config('idle_in_transaction_session_timeout', '2000', true)
)
select p.pid from partitions p cross join bounds
where p.pid = $1 and p.epoch = $2 and p.boot = $3
for share of p
