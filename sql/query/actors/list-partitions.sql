-- Lists the owners of all partitions. There are few rows.
select pid, epoch, owner, boot from partitions order by pid
