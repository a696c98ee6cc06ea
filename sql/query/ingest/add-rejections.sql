-- Adds the rejected spans of a group to the counts by reason.
insert into usage_rejections as r (workspace_id, month, reason, count, last_seen, example)
select workspace_id, date_trunc('month', now() at time zone 'UTC')::date, reason, count, now(), example
from unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[]) as added (workspace_id, reason, count, example)
order by workspace_id, reason
on conflict (workspace_id, month, reason) do update set
  count = r.count + excluded.count,
  last_seen = excluded.last_seen,
  example = excluded.example
