-- Releases the partitions of $2 that are still at our epochs of $3. Without the boot, no fence admits our writes any more.
-- index: partitions_pkey
with held as materialized (
  select p.pid
  from partitions p join unnest($2::integer[], $3::bigint[]) as r (pid, epoch) on r.pid = p.pid and r.epoch = p.epoch
  where p.boot = $1
  order by p.pid
  for update of p
)
update partitions p set owner = null, boot = null, since = now()
from held where p.pid = held.pid
returning p.pid
