-- takes over each partition of $3 that is still at its epoch of $4; the new epoch is above that of $5 too, which some may have seen
-- before the database went back. A row that someone holds is passed over: its holder is claiming it, or about to commit what the fence lets pass
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
