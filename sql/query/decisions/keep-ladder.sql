-- Stores the progress of the replay of a subject. $2 tool, $3 version or null, $4 agent or null, $5 input or null
-- scope: $1
insert into ladders (workspace_id, tool_name, tool_version, agent_id, input_hash, in_history, next_xid, after_start, after_trace, after_span,
  invalidated_until, state)
values ($1, $2, $3, $4, $5, $6, $7::text::xid8, $8::text::timestamptz, $9, $10, $11::text::timestamptz, $12)
on conflict (workspace_id, tool_name, tool_version, agent_id, input_hash) do update set
  in_history = excluded.in_history, next_xid = excluded.next_xid, after_start = excluded.after_start, after_trace = excluded.after_trace,
  after_span = excluded.after_span, invalidated_until = excluded.invalidated_until, state = excluded.state
