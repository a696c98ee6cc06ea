-- Requests that hours and days ($2: 1, 2) be summed once they have ended and late data has arrived. The times are spread over some minutes;
-- otherwise all workspaces would be summed at the same time. A request that exists already is written again unchanged: a transaction that
-- sums in an older snapshot, without the minutes of this one, then fails to delete the request.
insert into rollup_work as w (workspace_id, kind, start_time, end_time, due_at)
select
  workspace_id, kind, to_timestamp(start_s), to_timestamp(end_s),
  greatest(to_timestamp(end_s), now()) + interval '2 minutes' * kind + interval '1 second' * (hashtext(workspace_id::text) & 255)
from unnest($1::uuid[], $2::smallint[], $3::bigint[], $4::bigint[]) as asked (workspace_id, kind, start_s, end_s)
order by workspace_id, kind, start_s
on conflict (workspace_id, kind, start_time) do update set asked_at = w.asked_at
