-- Removes a workspace's events up to and with one of them. The time stands alone too, for the chunks that it leaves out.
-- index: events_pkey
delete from events
where workspace_id = $1 and start_time <= $2::timestamptz and (start_time, trace_id, span_id) <= ($2::timestamptz, $3::bytea, $4::bytea)
