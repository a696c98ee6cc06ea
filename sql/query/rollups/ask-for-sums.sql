-- Requests that hours and days ($2: 1, 2) be summed once they have ended and late data has arrived. The times are spread over some minutes;
-- otherwise all workspaces would be summed at the same time. A request that exists already is written again unchanged, so that of two
-- transactions in snapshots, one that sums and one that changes what is summed, the second one to commit fails (40001). An insert alone
-- would not notice that a sum has deleted the request since the snapshot, and that a row which was missing there exists by now.
-- index: rollup_work_pkey
with asked as materialized (
  select * from unnest($1::uuid[], $2::smallint[], $3::bigint[], $4::bigint[]) as asked (workspace_id, kind, start_s, end_s)
), kept as (
  update rollup_work as w set asked_at = w.asked_at
  where ctid = any (array(
    select work.ctid
    from asked
    cross join lateral (
      select ctid from rollup_work
      where workspace_id = asked.workspace_id and kind = asked.kind and start_time = to_timestamp(asked.start_s)
      limit 1
    ) work
  ))
  returning workspace_id, kind, start_time
)
insert into rollup_work as w (workspace_id, kind, start_time, end_time, due_at)
select
  workspace_id, kind, to_timestamp(start_s), to_timestamp(end_s),
  greatest(to_timestamp(end_s), now()) + interval '2 minutes' * kind + interval '1 second' * (hashtext(workspace_id::text) & 255)
from asked
where (workspace_id, kind, to_timestamp(start_s)) not in (select workspace_id, kind, start_time from kept)
order by workspace_id, kind, start_s
on conflict (workspace_id, kind, start_time) do update set asked_at = w.asked_at
