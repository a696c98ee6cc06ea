-- The encrypted tool results of the rows that were stored.
insert into tool_results (workspace_id, start_time, trace_id, span_id, ciphertext, iv, tag)
select workspace_id, start_time, trace_id, span_id, ciphertext, iv, tag from stage where ciphertext is not null
