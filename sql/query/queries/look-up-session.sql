-- Returns a row if a session has a trace.
-- index: traces_by_session
select start_time from traces where workspace_id = $1 and session_id = $2 order by start_time desc limit 1
