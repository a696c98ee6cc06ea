-- who owns what, all of it: few rows
select pid, epoch, owner, boot from partitions order by pid
