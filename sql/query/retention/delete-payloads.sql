-- Removes the payloads of the same events.
-- index: event_payloads_pkey
delete from event_payloads
where workspace_id = $1 and start_time <= $2::timestamptz and (start_time, trace_id, span_id) <= ($2::timestamptz, $3::bytea, $4::bytea)
