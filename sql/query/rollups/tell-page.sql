-- Tells the rest of the transaction which rows of rollups to copy: a COPY has no parameters. Arrays come as their text.
select
  set_config('tracewright.workspace_id', $1::text, true),
  set_config('tracewright.tier', $2::text, true),
  set_config('tracewright.from_s', $3::bigint[]::text, true),
  set_config('tracewright.to_s', $4::bigint[]::text, true),
  set_config('tracewright.limit', $5::text, true)
