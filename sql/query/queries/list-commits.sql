-- Lists the transactions that snapshot $3 sees and snapshot $2 does not, from xid $4 on, oldest first: those that a tail has yet to read.
-- index: commits_pkey
select c.xid::text as xid, c.events, c.first_start_time, c.last_start_time
from commits c
where c.workspace_id = $1
  and c.xid >= pg_snapshot_xmin($2::text::pg_snapshot) and c.xid < pg_snapshot_xmax($3::text::pg_snapshot)
  and not pg_visible_in_snapshot(c.xid, $2::text::pg_snapshot) and pg_visible_in_snapshot(c.xid, $3::text::pg_snapshot)
  and ($4::text is null or c.xid >= $4::text::xid8)
order by c.xid
limit $5
