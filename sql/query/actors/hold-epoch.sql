-- the fence of a write: the row is locked until the commit, so that a claimer waits for the write and the write waits for a claimer, for
-- at most 2 s. Without the lock a zombie would write beside a claim that is about to commit. A process that hangs before its commit
-- loses its session after 2 s: otherwise nobody could take over the partition
-- index: partitions_pkey
with bounds as materialized (
  select set_config('lock_timeout', '2000', true), set_config('idle_in_transaction_session_timeout', '2000', true)
)
select p.pid from partitions p cross join bounds
where p.pid = $1 and p.epoch = $2 and p.boot = $3
for share of p
