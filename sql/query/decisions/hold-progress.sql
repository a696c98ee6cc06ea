-- Locks the progress row of a workspace until the transaction ends; a purge waits. No row where another process holds it, or where the
-- workspace is deleted or being purged. `late_from`: the earliest start among what was committed since the last scan, including the
-- transactions that were in progress at that time. Live decisions count as for a proposal by hand.
-- scope: $1
-- index: optimizer_progress_pkey
select clock_timestamp() as now, p.proposed_until, w.freshness_s, w.holdout_rate, w.floor, w.alpha, o.living, o.open, c.late_from
from optimizer_progress p
join workspaces w on w.id = p.workspace_id and w.deleted_at is null
cross join lateral (
  select
    coalesce(sum(ceil(octet_length(d.config::text) / 1536.0)), 0)::int as living,
    count(*) filter (where d.state <> 'active')::int as open
  from decisions d
  where d.workspace_id = p.workspace_id and d.state <> 'disabled'
) o
cross join lateral (
  select min(m.first_start_time) as late_from from commits m
  where m.workspace_id = p.workspace_id and m.at >= p.proposed_until - interval '1 minute'
) c
where p.workspace_id = $1
for update of p skip locked for key share of w skip locked
