-- Deletes up to $3 notes of spans that were dropped in months before the month of $2.
-- index: dropped_spans_pkey
delete from dropped_spans
where ctid = any (array(
  select ctid from dropped_spans
  where workspace_id = $1 and month < date_trunc('month', $2::timestamptz at time zone 'UTC')::date
  order by month, span_key limit $3
))
