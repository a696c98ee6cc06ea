-- Sums what decisions saved from $6 to $7, in buckets (numbered from 1) that start at $8. Given for each decision ($2) and each of its phases
-- ($12 to $13): what a served call saves ($3), loses in caches ($5) and costs through wrong results ($10) in USD, and the duration of a real
-- call ($4, ms). A served call of unknown duration counts as $9 ms; a held-out call that reports no cost counts as the mean execution ($11).
-- index: events_by_decision
select
  width_bucket(e.start_time, $8::timestamptz[]) as bucket,
  count(*) filter (where e.served)::int as served_calls,
  count(*) filter (where not e.served)::int as holdout_calls,
  coalesce(sum(r.cost_usd) filter (where e.served), 0) as gross_usd,
  coalesce(sum(coalesce(e.provided_cost_usd, r.mean_usd)) filter (where not e.served), 0) as holdout_cost_usd,
  coalesce(sum(r.loss_usd) filter (where e.served), 0) as cache_loss_usd,
  coalesce(sum(r.wrong_usd) filter (where e.served), 0) as wrong_cost_usd,
  coalesce(sum(r.median_ms - coalesce(e.duration_us / 1000.0, $9)) filter (where e.served), 0)::float8 as latency_saved_ms
from unnest($2::uuid[], $3::float8[], $4::float8[], $5::float8[], $10::float8[], $11::float8[], $12::timestamptz[], $13::timestamptz[])
  r(id, cost_usd, median_ms, loss_usd, wrong_usd, mean_usd, since, until)
join events e on e.workspace_id = $1 and e.decision_id = r.id and e.kind = 'tool' and (e.served or e.holdout)
  and e.start_time >= $6 and e.start_time < $7 and e.start_time >= r.since and e.start_time < r.until
group by 1
order by 1
