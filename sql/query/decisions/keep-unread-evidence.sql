-- Stores the counts of a subject. $2 tool, $3 version or null, $4 agent or null, $5 the transaction from which to continue, $6 state
-- scope: $1
insert into unread_evidence (workspace_id, tool_name, tool_version, agent_id, next_xid, state)
values ($1, $2, $3, $4, $5::text::xid8, $6)
on conflict (workspace_id, tool_name, tool_version, agent_id) do update set next_xid = excluded.next_xid, state = excluded.state
