-- The transactions that snapshot $3 saw and snapshot $2 did not, from xid $4 on, oldest first: what a tail has yet to take.
-- index: commits_pkey
select xid::text as xid, events
from commits
where workspace_id = $1
  and xid >= pg_snapshot_xmin($2::text::pg_snapshot) and xid < pg_snapshot_xmax($3::text::pg_snapshot)
  and not pg_visible_in_snapshot(xid, $2::text::pg_snapshot) and pg_visible_in_snapshot(xid, $3::text::pg_snapshot)
  and ($4::text is null or xid >= $4::text::xid8)
order by xid
limit $5
