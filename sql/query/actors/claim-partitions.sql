-- Claims each partition of $3 whose epoch is still that of $4. The new epoch is also above that of $5, which processes may have seen before
-- the database was restored to an earlier state. A locked row is skipped: its holder is claiming it, or is about to commit a write that the
-- fence admitted.
-- index: partitions_pkey
with wanted as (
  select * from unnest($3::integer[], $4::bigint[], $5::bigint[]) as w (pid, epoch, highest)
), held as materialized (
  select p.pid, greatest(p.epoch, w.highest) as epoch
  from partitions p join wanted w on w.pid = p.pid and w.epoch = p.epoch
  order by p.pid
  for update of p skip locked
)
update partitions p set epoch = held.epoch + 1, owner = $1, boot = $2, since = now()
from held where p.pid = held.pid
returning p.pid, p.epoch
