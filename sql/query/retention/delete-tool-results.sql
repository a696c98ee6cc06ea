-- Deletes the encrypted results of the events that retention/delete-events deletes.
-- index: tool_results_pkey
delete from tool_results
where workspace_id = $1 and start_time <= $2::timestamptz and (start_time, trace_id, span_id) <= ($2::timestamptz, $3::bytea, $4::bytea)
