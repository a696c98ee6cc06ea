-- Deletes a workspace's events up to and including one of them. The start time is also a separate condition, because that excludes chunks.
-- index: events_pkey
delete from events
where workspace_id = $1 and start_time <= $2::timestamptz and (start_time, trace_id, span_id) <= ($2::timestamptz, $3::bytea, $4::bytea)
