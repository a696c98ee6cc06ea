-- The payloads of the staged rows that were stored.
insert into event_payloads (workspace_id, start_time, trace_id, span_id, body, ciphertext, iv, tag)
select workspace_id, start_time, trace_id, span_id, body, ciphertext, iv, tag from stage
