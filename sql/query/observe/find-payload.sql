-- The block that holds an event's payload, and the size of its stored result. A block starts with the latest of its spans, so not
-- before the event ($3): $4 says up to when it is looked for.
-- index: payload_blocks_pkey, tool_results_pkey
select
  (
    select p.body from payload_blocks p
    where p.workspace_id = $1 and p.id = $2 and p.start_time >= $3::timestamptz and p.start_time < $4::timestamptz
    limit 1
  ) as body,
  (
    select octet_length(r.ciphertext) from tool_results r
    where r.workspace_id = $1 and r.start_time = $3::timestamptz and r.trace_id = $5 and r.span_id = $6
  ) as ciphertext_bytes
