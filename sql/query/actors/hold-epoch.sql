-- the fence of a write: the row is held until the commit, so that a claimer waits for it, and this waits for a claimer; then it is
-- gone. Without the lock a zombie would write beside a claim that is about to commit. Nobody waits for longer than 2 s
-- index: partitions_pkey
with patience as materialized (select set_config('lock_timeout', '2000', true))
select p.pid from partitions p cross join patience
where p.pid = $1 and p.epoch = $2 and p.boot = $3
for share of p
