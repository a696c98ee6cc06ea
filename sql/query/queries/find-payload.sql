-- Reads the block that contains an event's payload, and the size of the event's stored result. A block has the start time of its latest
-- span, so it is not earlier than the event ($3); $4 is the end of the search.
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
